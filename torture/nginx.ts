/** nginx in front of the service, with persistent shared connections, as on a busy site. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Program } from './item.ts'
import { freePort } from '../test/support/command.ts'
import { findProgram, startProgram, waitUntil } from './programs.ts'
import { probe } from './service.ts'

export const NGINX: Program = { name: 'nginx', debianPackage: 'nginx' }

/** Returns the port. */
export async function startNginx(folder: string, servicePort: number): Promise<number> {
  const port = await freePort()
  const own = join(folder, 'nginx')
  mkdirSync(own)
  const file = join(own, 'nginx.conf')
  writeFileSync(file, configuration(own, port, servicePort))
  const nginx = startProgram(findProgram(NGINX), ['-p', own, '-c', file, '-e', 'stderr'], {
    cwd: own,
    logFile: join(folder, 'nginx.log'),
  })
  await waitUntil('nginx serves', async () => {
    if (nginx.hasEnded()) throw new Error(`nginx does not start: ${nginx.log()}`)
    return (await probe(port, '/api/resources')) === 200
  })
  return port
}

function configuration(folder: string, port: number, servicePort: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
${temporary.map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  upstream quoting {
    server 127.0.0.1:${servicePort};
    keepalive 8;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://quoting;
      proxy_http_version 1.1;
      proxy_set_header connection "";
      proxy_set_header host $host;
      proxy_set_header x-forwarded-for $proxy_add_x_forwarded_for;
    }
  }
}
`
}
