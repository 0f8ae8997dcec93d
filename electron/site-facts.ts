import { z } from 'zod/mini'
import type { LastAnswers } from './last-answers.ts'
import { readSite } from '#shared/api/site'

const answer = z.object({ data: readSite.reply })

/** Hosts the operator has named: those pictures come from, and those people may be sent to. As far as the site was ever heard. */
export function namedHosts(last: LastAnswers): { readonly pictures: readonly string[]; readonly pages: readonly string[] } {
  const said = last.say(`/api${readSite.path}`)
  const parsed = answer.safeParse(said === undefined ? undefined : JSON.parse(said))
  if (!parsed.success) return { pictures: [], pages: [] }
  const { imageHost, serviceQr, installer } = parsed.data.data.facts
  return { pictures: httpsOrigins([imageHost, serviceQr]), pages: httpsOrigins([installer?.url]) }
}

const httpsOrigins = (addresses: readonly (string | undefined)[]): readonly string[] =>
  addresses.flatMap((address) => (address?.startsWith('https:') ? [new URL(address).origin] : []))
