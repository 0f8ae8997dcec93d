import { Alipay } from './alipay.ts'
import { readPrivateKey, readPublicKey } from './keys.ts'
import type { Method, PaymentProvider } from './provider.ts'
import { WechatPay } from './wechat.ts'
import { sandboxMerchant, publicHalf, type SandboxKeys } from '../sandbox/keys.ts'
import { ConfigError, type Payments } from '#server/config'

/** The ways to pay there are. */
export type Providers = ReadonlyMap<Method, PaymentProvider>

const notifyAt = (origin: string, method: 'alipay' | 'wxpay'): string => `${origin}/api/pay/notify/${method}`

/** The real ones, as far as they are configured. Throws ConfigError on a key that is none, and without an address they can reach. */
export function openRealProviders({ alipay, wechat }: Extract<Payments, { kind: 'real' }>, publicUrl: string | undefined): Providers {
  if (!publicUrl?.startsWith('https:')) throw new ConfigError('真实支付需要 PUBLIC_URL 填写 https 网址，支付平台才能送达通知。')
  const providers: PaymentProvider[] = []
  if (alipay) {
    providers.push(
      new Alipay({
        appId: alipay.ALIPAY_APP_ID,
        sellerId: alipay.ALIPAY_SELLER_ID,
        privateKey: readPrivateKey('ALIPAY_PRIVATE_KEY', alipay.ALIPAY_PRIVATE_KEY),
        publicKey: readPublicKey('ALIPAY_PUBLIC_KEY', alipay.ALIPAY_PUBLIC_KEY),
        notifyUrl: notifyAt(publicUrl, 'alipay'),
      }),
    )
  }
  if (wechat) {
    providers.push(
      new WechatPay({
        appId: wechat.WECHAT_APP_ID,
        mchId: wechat.WECHAT_MCH_ID,
        serial: wechat.WECHAT_MCH_SERIAL,
        privateKey: readPrivateKey('WECHAT_MCH_PRIVATE_KEY', wechat.WECHAT_MCH_PRIVATE_KEY),
        apiV3Key: wechat.WECHAT_API_V3_KEY,
        platformSerial: wechat.WECHAT_PLATFORM_SERIAL,
        platformKey: readPublicKey('WECHAT_PLATFORM_KEY', wechat.WECHAT_PLATFORM_KEY),
        notifyUrl: notifyAt(publicUrl, 'wxpay'),
      }),
    )
  }
  return new Map(providers.map((provider) => [provider.method, provider]))
}

/** The same two, talking to a sandbox's gateway: `gatewayOrigin` is where it listens, `ownOrigin` where it finds this server. */
export function openSandboxProviders(keys: SandboxKeys, gatewayOrigin: string, ownOrigin: string): Providers {
  const privateKey = readPrivateKey('merchant', keys.merchant)
  const platformKey = readPublicKey('platform', publicHalf(keys.platform))
  const alipay = new Alipay({
    appId: sandboxMerchant.alipayAppId,
    sellerId: sandboxMerchant.alipaySellerId,
    privateKey,
    publicKey: platformKey,
    notifyUrl: notifyAt(ownOrigin, 'alipay'),
    gateway: `${gatewayOrigin}/sandbox/alipay/gateway.do`,
  })
  const wechat = new WechatPay({
    appId: sandboxMerchant.wechatAppId,
    mchId: sandboxMerchant.wechatMchId,
    serial: sandboxMerchant.wechatSerial,
    privateKey,
    apiV3Key: keys.apiV3Key,
    platformSerial: sandboxMerchant.wechatPlatformSerial,
    platformKey,
    notifyUrl: notifyAt(ownOrigin, 'wxpay'),
    base: `${gatewayOrigin}/sandbox/wechat/`,
  })
  return new Map<Method, PaymentProvider>([
    ['alipay', alipay],
    ['wechat', wechat],
  ])
}
