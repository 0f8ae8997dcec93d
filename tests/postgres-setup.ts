import type { TestProject } from 'vitest/node'
import { startPostgres } from './server/database/postgres-server.ts'
import { openDatabase } from '#server/database/open'

/** One PostgreSQL for all tests of the project, with a database to copy theirs from: its tables are made once. */
export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startPostgres()
  if (!server) throw new Error('vitest.config.ts has seen a PostgreSQL')
  const template = await server.database()
  await (await openDatabase({ kind: 'postgres', url: template })).close()
  project.provide('postgres', template)
  return () => server.stop()
}
