import { OssError } from './oss-error.ts'

/** What a request is aimed at. An empty key stands for the bucket itself. */
export interface Target {
  readonly bucket: string
  readonly key: string
  readonly query: ReadonlyMap<string, string>
}

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new OssError('InvalidURI', 'The URI is not properly encoded.', { cause })
  }
}

export const isBucketUrl = (url: string, bucket: string): boolean => new RegExp(`^/${bucket}(?:[/?]|$)`).test(url)

/** Reads a path-style URL without normalising it: `..` and `//` are part of a key, and refused there. */
export function parseTarget(url: string): Target {
  const [path = '', ...rest] = url.split('?')
  const [, bucket = '', key = ''] = /^\/([^/]*)\/?([^]*)$/.exec(path) ?? []
  const query = new Map<string, string>()
  for (const pair of rest.join('?').split('&').filter(Boolean)) {
    const [name = '', ...value] = pair.replaceAll('+', ' ').split('=')
    if (query.has(decode(name))) throw new OssError('InvalidArgument', 'A query parameter is given twice.')
    query.set(decode(name), decode(value.join('=')))
  }
  return { bucket: decode(bucket), key: decode(key), query }
}
