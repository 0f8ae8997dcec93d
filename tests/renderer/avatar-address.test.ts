import { expect, it } from 'vitest'
import { isAvatarAddress } from '#renderer/platform/avatar-address'

it.each([
  ['https://thirdwx.qlogo.cn/mmopen/vi_32/a/132', true],
  ['https://img.example.com/a.png', true],
  ['http://thirdwx.qlogo.cn/a', false],
  ['https://qlogo.cn.evil.example/a', false],
  ['https://evilqlogo.cn/a', false],
  ['https://img.example.com:8443/a.png', false],
  ['javascript:alert(1)', false],
  ['data:image/png;base64,AAAA', false],
  ['//thirdwx.qlogo.cn/a', false],
  ['', false],
])('a picture of a person at %s: %s', (address, isShown) => {
  expect(isAvatarAddress(address, 'https://img.example.com')).toBe(isShown)
})

it('without a host of images of its own shows WeChat’s only', () => {
  expect(isAvatarAddress('https://img.example.com/a.png', undefined)).toBe(false)
  expect(isAvatarAddress('https://wx.qlogo.cn/a', undefined)).toBe(true)
})
