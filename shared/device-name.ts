const systems: readonly (readonly [RegExp, string])[] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** In the order of what names others for the sake of old pages: all name Chrome or Safari. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/QingtuClient/, '轻图客户端'],
  [/Edg/, 'Edge'],
  [/QQBrowser/, 'QQ浏览器'],
  [/MetaSr/, '搜狗浏览器'],
  [/OPR\//, 'Opera'],
  [/Firefox|FxiOS/, 'Firefox'],
  [/MicroMessenger/, '微信'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
]

const nameIn = (known: typeof systems, userAgent: string): string | undefined => known.find(([sign]) => sign.test(userAgent))?.[1]

/** What a browser or the client calls its computer, so that people know it again: `Windows · Chrome`, `Windows · 轻图客户端`. */
export const deviceName = (userAgent: string): string =>
  [nameIn(systems, userAgent) ?? '电脑', nameIn(browsers, userAgent) ?? '浏览器'].join(' · ')
