/**
 * The peer's server: PostGraphile over the tables of the service. `peer.ts` copies it next to the installed packages,
 * starts it there, sends it the connection, and receives the port.
 */
const { createServer } = require('node:http')
const { Pool } = require('pg')
const {
  embed,
  gql,
  makeExtendSchemaPlugin,
  makeJSONPgSmartTagsPlugin,
  postgraphile,
} = require('postgraphile')

/** A soft reference as a foreign key that only PostGraphile knows, without a change of the database. */
const reference = (column, table, name, listOfReferring) =>
  `(company_id, ${column}) references ${table} (company_id, id)` +
  `|@fieldName ${name}|@foreignSimpleFieldName ${listOfReferring}`

const softReferences = makeJSONPgSmartTagsPlugin({
  version: 1,
  config: {
    class: {
      quotes: {
        tags: {
          foreignKey: [
            reference('lead_id', 'leads', 'lead', 'quotes'),
            reference('location_id', 'locations', 'location', 'quotes'),
            reference('booking_id', 'bookings', 'booking', 'quotes'),
          ],
        },
      },
      line_items: { tags: { foreignKey: reference('service_id', 'services', 'service', 'lineItems') } },
      events: { tags: { foreignKey: reference('booking_id', 'bookings', 'booking', 'events') } },
    },
  },
})

/**
 * The staff of an event are a list of ids in a column, which a foreign key cannot express. With @pgQuery, which the manual
 * recommends for such relations, they become a subquery of the single statement that PostGraphile sends for a request, like
 * every other relation. There is no statement per event and no need for batches.
 */
const staffOfEvents = makeExtendSchemaPlugin(({ pgSql: sql }) => ({
  typeDefs: gql`
    extend type Event {
      staff: [Staff!]! @pgQuery(
        source: ${embed(sql.fragment`public.staff`)}
        withQueryBuilder: ${embed((query) => {
          const staff = query.getTableAlias()
          const event = query.parentQueryBuilder.getTableAlias()
          query.where(sql.fragment`${staff}.company_id = ${event}.company_id`)
          query.where(sql.fragment`${staff}.id = ANY(${event}.staff_ids)`)
          query.orderBy(sql.fragment`${staff}.last_name COLLATE "C"`)
          query.orderBy(sql.fragment`${staff}.first_name COLLATE "C"`)
          query.orderBy(sql.fragment`${staff}.id`)
        })}
      )
    }
  `,
}))

/**
 * The recommended settings for production, except for features that this benchmark does not use: subscriptions, batches,
 * the check of access rights, which only hides names when the schema is built, and retries of a failed start. Other settings
 * have their defaults, including the query cache and ten connections.
 */
const OPTIONS = {
  watchPg: false,
  graphiql: false,
  disableQueryLog: true,
  disableDefaultMutations: true,
  dynamicJson: true,
  extendedErrors: ['errcode'],
  ignoreRBAC: true,
  legacyRelations: 'omit',
  setofFunctionsContainNulls: false,
  // Plain lists instead of connections make a page of ten a quarter faster.
  simpleCollections: 'only',
  appendPlugins: [softReferences, staffOfEvents],
}

async function start(connection) {
  const pool = new Pool({
    application_name: 'peer',
    // The peer must not write.
    options: '-c TimeZone=UTC -c default_transaction_read_only=on',
    ...connection,
  })
  const handler = postgraphile(pool, 'public', OPTIONS)
  await handler.getGraphQLSchema()
  const server = createServer(handler)
  server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }))
}

process.once('message', (connection) => void start(connection))
// Exits with the benchmark.
process.once('disconnect', () => process.exit())
