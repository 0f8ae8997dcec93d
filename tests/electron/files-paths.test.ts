import { describe, expect, test } from 'vitest'
import { isInside, isSamePath, isUsablePath } from '#electron/files/path-rules'

describe('paths on Windows', () => {
  test.each([
    'C:\\照片\\a.jpg',
    'c:/照片/a.jpg',
    'Z:\\共享\\a.jpg', // a share under a letter
    'D:\\',
    'C:\\a\\console.jpg',
    'C:\\a\\com10.jpg',
    'C:\\a\\.env',
    'C:\\a b\\c.d\\e.jpg',
    'C:\\a\\😀.jpg',
  ])('%s may be used', (path) => expect(isUsablePath(path, 'win32')).toBe(true))

  test.each([
    ['a device', 'C:\\照片\\CON'],
    ['a device with an extension', 'C:\\照片\\con.jpg'],
    ['a device with two', 'C:\\照片\\NUL.tar.gz'],
    ['a device with a blank', 'C:\\照片\\aux .jpg'],
    ['a port', 'C:\\照片\\COM1.png'],
    ['a port by a small digit', 'C:\\照片\\lpt².txt'],
    ['a console', 'C:\\CONIN$'],
    ['a folder that is a device', 'C:\\prn\\a.jpg'],
    ['another stream', 'C:\\照片\\a.jpg:x'],
    ['another stream of a folder', 'C:\\照片:x\\a.jpg'],
    ['the main stream', 'C:\\照片\\a.jpg::$DATA'],
    ['a dot at the end', 'C:\\照片\\a.jpg.'],
    ['a blank at the end', 'C:\\照片\\a.jpg '],
    ['a folder with a blank at its end', 'C:\\照片 \\a.jpg'],
    ['three dots', 'C:\\照片\\...\\a.jpg'],
    ['a share', '\\\\server\\share\\a.jpg'],
    ['a share by slashes', '//server/share/a.jpg'],
    ['the long form', '\\\\?\\C:\\a.jpg'],
    ['a share in the long form', '\\\\?\\UNC\\server\\share\\a.jpg'],
    ['a device path', '\\\\.\\PhysicalDrive0'],
    ['an object path', '\\??\\C:\\a.jpg'],
    ['no drive', '\\照片\\a.jpg'],
    ['a drive without its root', 'C:a.jpg'],
    ['no root at all', 'a.jpg'],
    ['a line break', 'C:\\照片\\a\n.jpg'],
    ['a wildcard', 'C:\\照片\\*.jpg'],
    ['nothing', ''],
  ])('%s is refused: %j', (_what, path) => expect(isUsablePath(path, 'win32')).toBe(false))

  test('are one whatever the case of their letters and the way of their slashes', () => {
    expect(isSamePath('C:\\照片\\A.jpg', 'c:/照片/a.JPG', 'win32')).toBe(true)
    expect(isSamePath('C:\\照片\\a.jpg', 'D:\\照片\\a.jpg', 'win32')).toBe(false)
  })

  test('lie in a folder or not', () => {
    expect(isInside('C:\\a\\b\\c.jpg', 'c:\\A', 'win32')).toBe(true)
    expect(isInside('C:\\ab\\c.jpg', 'C:\\a', 'win32')).toBe(false)
    expect(isInside('D:\\a\\c.jpg', 'C:\\a', 'win32')).toBe(false)
    expect(isInside('C:\\a', 'C:\\a', 'win32')).toBe(false)
  })
})

describe('paths elsewhere', () => {
  test('may hold what Windows refuses, but begin at the root and hold no NUL', () => {
    expect(['/照片/CON.jpg', '/a/b:c.', '/'].map((path) => isUsablePath(path, 'linux'))).toEqual([true, true, true])
    expect(['a.jpg', '', '/a\0.jpg'].map((path) => isUsablePath(path, 'linux'))).toEqual([false, false, false])
  })

  test('lie in a folder by whole names', () => {
    expect(isInside('/a/..b/c', '/a', 'linux')).toBe(true)
    expect(isInside('/a/../b', '/a', 'linux')).toBe(false)
    expect(isSamePath('/a/A', '/a/a', 'linux')).toBe(false)
  })
})
