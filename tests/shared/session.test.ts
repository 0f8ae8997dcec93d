import { describe, expect, it } from 'vitest'
import { afterVisit, maskedAccount, readSession } from '#shared/session'

const fresh = readSession(null)

describe('a stored session', () => {
  it('starts with the specified values, whatever text is there', () => {
    const start = {
      loginPhone: '',
      loginID: '',
      loginImg: '',
      loginVIP: false,
      bdUrl: '',
      url360: '',
      url360dep: 1,
      url360adv: 1,
      url360down: 1,
    }
    for (const text of [null, '', 'no json', '[]', '5', '{"loginVIP":"yes"}']) expect(readSession(text)).toEqual(start)
    expect(readSession('{"loginID":"abc","unknown":1}')).toEqual({ ...start, loginID: 'abc' })
  })
})

describe('a visit', () => {
  it('by a search advertisement is remembered with its whole address', () => {
    const address = 'https://q.example/?bd_vid=123&x=1'
    expect(afterVisit(fresh, address, '')).toEqual({ ...fresh, bdUrl: address })
  })

  it('by the 360 channel is remembered apart, and a later one without keeps it', () => {
    const address = 'https://q.example/convert?qhclickid=abc'
    const visited = afterVisit(fresh, address, '')
    expect(visited).toEqual({ ...fresh, url360: address })
    expect(afterVisit(visited, 'https://q.example/', '')).toEqual(visited)
  })

  it('leaves credentials and fragments out, and stays short', () => {
    const { bdUrl } = afterVisit(fresh, `https://q.example/?bd_vid=1&ticket=secret&openid=secret&y=${'y'.repeat(9000)}#secret`, '')
    expect(bdUrl).not.toContain('secret')
    expect(bdUrl.length).toBe(2048)
  })

  it('with the partner’s marker takes the marker; a mere mention of it is none', () => {
    expect(afterVisit(fresh, 'https://q.example/?from=partner&qhclickid=a', 'partner').url360).toBe('partner')
    expect(afterVisit(fresh, 'https://q.example/partner?from=partners', 'partner').url360).toBe('')
  })
})

it('an account is shown by four characters, asterisks and the name from its fifteenth', () => {
  expect(maskedAccount({ ...fresh, loginID: 'abcd1234efgh', loginPhone: '游客0123456789abcdefghij' })).toBe('abcd****cdefghij')
})
