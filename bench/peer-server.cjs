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

/** A soft reference as a foreign key that only PostGraphile knows of: the database stays as it is. */
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
 * The staff of an event are a list of ids in a column, which no foreign key can say. By @pgQuery, the way of its manual
 * for relations of one's own, they become a subquery of the one statement that PostGraphile makes of a request, like
 * every other relation: no statement per event, and nothing to batch.
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
 * What its manual recommends for production, except: subscriptions and batches, which nothing here uses; the look at
 * access rights, which only hides names when the schema is built; and new attempts after a failed start, which should
 * rather end it. The rest keeps its defaults, the cache of queries and ten connections among them.
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
  // Plain lists instead of connections: a page of ten is a quarter faster with them.
  simpleCollections: 'only',
  appendPlugins: [softReferences, staffOfEvents],
}

async function start(connection) {
  const pool = new Pool({
    application_name: 'peer',
    // Nothing here writes, and nothing should be able to.
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
