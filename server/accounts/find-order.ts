import { and, eq, isNotNull, or } from 'drizzle-orm'
import type { Database } from '../database/open.ts'
import { identities } from '../database/schema.ts'
import { orders } from '../database/schema-billing.ts'

/**
 * The member who paid an order, by our number of it or the provider's. One statement for every number, so that one nobody paid, one paid
 * back and one that never was are told apart by nothing.
 */
export async function findPayer(db: Database, number: string): Promise<string | undefined> {
  const [row] = await db
    .select({ identityId: orders.identityId })
    .from(orders)
    .innerJoin(identities, eq(identities.id, orders.identityId))
    .where(and(or(eq(orders.id, number), eq(orders.transactionId, number)), eq(orders.state, 'paid'), isNotNull(identities.memberSince)))
    .limit(1)
  return row?.identityId
}
