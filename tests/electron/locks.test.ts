import { describe, expect, it } from 'vitest'
import { originOf, serverAddress, serverOrigin } from '#electron/address'
import { isOwnRequest } from '#electron/locks'
import { mayOpen } from '#electron/website'
import { isOnTheWay, returnedTo } from '#electron/wechat-way'

const SERVER = 'https://qingtu.example'
const page = { origin: 'app://qingtu', parent: null }

describe('requests to the page’s origin', () => {
  it.each([
    ['the page itself', { url: 'app://qingtu/', resourceType: 'mainFrame', frame: undefined }, true],
    ['a call of the page', { url: 'app://qingtu/api/jobs', resourceType: 'xhr', frame: page }, true],
    ['a worker of the page', { url: 'app://qingtu/assets/a.js', resourceType: 'script', frame: undefined }, true],
    ['a frame on its way to pay', { url: 'app://qingtu/sandbox/pay/1', resourceType: 'subFrame', frame: undefined }, true],
    ['a frame that shows the page', { url: 'app://qingtu/', resourceType: 'subFrame', frame: page }, false],
    ['a payment’s frame', { url: 'app://qingtu/api/jobs', resourceType: 'xhr', frame: { origin: SERVER, parent: page } }, false],
    ['a frame of no origin', { url: 'app://qingtu/icon.svg', resourceType: 'image', frame: { origin: 'null', parent: page } }, false],
    ['a frame of the same origin', { url: 'app://qingtu/api/jobs', resourceType: 'xhr', frame: { ...page, parent: page } }, false],
  ] as const)('by %s', (_who, asked, isAllowed) => {
    expect(isOwnRequest(asked)).toBe(isAllowed)
  })
})

describe('what the browser may be sent to', () => {
  it.each([
    [`${SERVER}/member`, true],
    ['https://beian.miit.gov.cn/', true],
    ['https://files.example/setup.exe', true],
    [`${SERVER}.example.com/`, false],
    [`${SERVER}@example.com/`, false],
    ['http://qingtu.example/', false],
    ['http://files.example/', false],
    ['https://example.com/', false],
    ['file:///C:/Windows/System32/calc.exe', false],
    ['ms-settings:privacy', false],
    ['javascript:alert(1)', false],
    ['nonsense', false],
  ])('%s: %s', (address, isAllowed) => {
    expect(mayOpen(address, SERVER, ['https://files.example', 'http://files.example'])).toBe(isAllowed)
  })
})

describe('the server’s address', () => {
  it('is over https, or on this computer', () => {
    expect(serverOrigin('https://qingtu.example/path?x')).toBe(SERVER)
    expect(serverOrigin(undefined)).toBe('http://127.0.0.1:8080')
    for (const given of ['http://qingtu.example', 'ftp://qingtu.example', 'qingtu.example'])
      expect(() => serverOrigin(given)).toThrow(given)
  })

  it('stays the server’s, whatever path is asked for', () => {
    for (const path of ['//elsewhere.example/api', '/\\elsewhere.example', '/@elsewhere.example', '/api/../../x', 'elsewhere.example']) {
      expect(originOf(serverAddress(SERVER, path))).toBe(SERVER)
    }
  })
})

describe('the window in which people sign in at WeChat', () => {
  it('goes to WeChat and back, and nowhere else', () => {
    const at = (path: string): string => `${SERVER}${path}`
    for (const address of [at('/api/user/wxlogin/start'), 'https://open.weixin.qq.com/connect/qrconnect?appid=1']) {
      expect(isOnTheWay(address, SERVER)).toBe(true)
    }
    for (const address of [at('/'), at('/api/user/logout'), 'https://open.weixin.qq.com.example/', 'https://example.com/']) {
      expect(isOnTheWay(address, SERVER)).toBe(false)
    }
  })

  it('hands on what it came back with, from the server only', () => {
    expect(returnedTo(`${SERVER}/callback/wxlogin?ticket=1`, SERVER)).toBe('?ticket=1')
    expect(returnedTo(`${SERVER}/callback/wxlogin`, SERVER)).toBe('')
    expect(returnedTo('https://example.com/callback/wxlogin?ticket=1', SERVER)).toBeUndefined()
    expect(returnedTo(`${SERVER}/callback/wxlogin/x`, SERVER)).toBeUndefined()
  })
})
