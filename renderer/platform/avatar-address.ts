/** Whether an address is one pictures of people may come from: WeChat's, or the site's own host of images; and over https. */
export function isAvatarAddress(address: string, imageHost: string | undefined): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, origin } = new URL(address)
  if (protocol !== 'https:') return false
  return hostname.endsWith('.qlogo.cn') || (imageHost !== undefined && new URL(imageHost).origin === origin)
}
