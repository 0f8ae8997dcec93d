import type { FastifyRequest } from 'fastify'
import { audit, type Deed } from './audit.ts'
import { OperatorSessions, type Operator } from './session.ts'
import type { Services } from '../services.ts'

/** Where operators work: what they do is noted, and only who is signed in does anything. */
export class Desk {
  readonly sessions: OperatorSessions
  readonly #services: Services

  constructor(services: Services, isHttps: boolean) {
    const { config, connection, now, secrets } = services
    this.#services = services
    this.sessions = new OperatorSessions({ db: connection.db, secrets, isHttps, addresses: config.operatorAddresses, now })
  }

  /** Notes what somebody did or tried under a name. */
  async note({ ip }: FastifyRequest, operator: string, action: Deed['action'], detail: Deed['detail'] = {}): Promise<void> {
    const { connection, now } = this.#services
    await audit(connection.db, { operator, action, detail, address: ip }, now())
  }

  /** The operator who calls, with what he is about to do noted. Throws as `OperatorSessions.require`. */
  async admit(request: FastifyRequest, action: Deed['action'], detail: Deed['detail'] = {}): Promise<Operator> {
    const operator = await this.sessions.require(request)
    await this.note(request, operator.name, action, detail)
    return operator
  }
}
