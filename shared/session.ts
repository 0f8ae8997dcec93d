import * as z from 'zod/mini'

/** Where a browser keeps the session. */
export const SESSION_KEY = 'user'

/**
 * What a browser remembers of its user, with the specification's names and starting values. A display hint only: what one
 * may do is decided by the server's session. `loginPhone` is a guest's name, `loginID` the account id.
 */
export const session = z.object({
  loginPhone: z._default(z.string(), ''),
  loginID: z._default(z.string(), ''),
  loginImg: z._default(z.string(), ''),
  loginVIP: z._default(z.boolean(), false),
  bdUrl: z._default(z.string(), ''),
  url360: z._default(z.string(), ''),
  url360dep: z._default(z.number(), 1),
  url360adv: z._default(z.number(), 1),
  url360down: z._default(z.number(), 1),
})

/** What a browser remembers of its user. */
export type Session = z.infer<typeof session>

/** A session as stored text says; whatever is missing or wrong in it starts anew. */
export function readSession(text: string | null): Session {
  const parsed = session.safeParse(parseJson(text))
  return parsed.success ? parsed.data : session.parse({})
}

function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '{}')
  } catch {
    return {}
  }
}

const LONGEST_ADDRESS = 2048
/** Parts of an address that are nobody's business but the page's. */
const SECRET_PARAMETERS = new Set(['ticket', 'openid', 'token', 'code', 'state'])

/**
 * The session after a visit to an address: `bd_vid` is a search advertisement's click (its whole address becomes `bdUrl`),
 * `qhclickid` one of the 360 channel (`url360`), and the partner's marker, when configured, replaces the latter.
 */
export function afterVisit(before: Session, address: string, partnerMarker: string): Session {
  const query = new Map(parameters(address))
  const kept = cleanAddress(address)
  const url360 = query.has('qhclickid') ? kept : before.url360
  const isPartner = partnerMarker !== '' && query.get('from') === partnerMarker
  return { ...before, bdUrl: query.has('bd_vid') ? kept : before.bdUrl, url360: isPartner ? partnerMarker : url360 }
}

const parameters = (address: string): [string, string][] =>
  (address.split('#')[0]?.split('?')[1] ?? '').split('&').map((pair) => {
    const [name = '', value = ''] = pair.split('=')
    return [name, value]
  })

/** An address without its fragment and without parameters that are credentials, at most 2,048 characters. */
function cleanAddress(address: string): string {
  const [base = ''] = address.split(/[?#]/)
  const query = parameters(address).filter(([name]) => name !== '' && !SECRET_PARAMETERS.has(name))
  return `${base}${query.length > 0 ? '?' : ''}${query.map(([name, value]) => `${name}=${value}`).join('&')}`.slice(0, LONGEST_ADDRESS)
}

/** An account as the header shows it: four characters, asterisks, then the name from its fifteenth character. */
export const maskedAccount = ({ loginID, loginPhone }: Session): string => `${loginID.slice(0, 4)}****${loginPhone.slice(14)}`
