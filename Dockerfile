# The service with its embedded PostgreSQL, or with an external one (DATABASE_URL). See docs/containers.md.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Scripts run later, with the sources: "prepare" builds the program.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev --no-audit --no-fund --ignore-scripts
# Unpacks the embedded server.
RUN npm rebuild --foreground-scripts

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# The user "node" of the base image writes to these two folders only, so the root file system can be read-only.
RUN mkdir /data /backups && chown node:node /data /backups
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/bin ./bin
COPY --from=build /app/dist ./dist
COPY --from=build /app/docs ./docs
COPY --from=build /app/migrations ./migrations
COPY --from=build /app/node_modules ./node_modules
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/readyz').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
# SIGTERM finishes requests first. The port of the container is open to its network, so the demo is not served.
ENTRYPOINT ["node", "bin/quoting.js"]
CMD ["serve"]
