import { fileURLToPath } from 'node:url'

// The compiler copies no .sql to dist/.
const besideSources = import.meta.url.endsWith('.ts') ? './migrations' : '../../../server/database/migrations'

/** Where the steps lie that bring a database's tables up to date. */
export const migrationsFolder: string = fileURLToPath(new URL(besideSources, import.meta.url))
