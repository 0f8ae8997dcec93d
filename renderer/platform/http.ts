import type { Transport } from '#shared/api/send'

const cookieOf = (name: string): string => {
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(`${name}=`))
  return decodeURIComponent(found?.slice(name.length + 1) ?? '')
}

/** Calls the API of the page's own server; the anti-forgery names are the specification's. */
export const transport: Transport = async ({ method, path, body, headers, deadlineMs }) => {
  const response = await fetch(path, {
    method,
    ...(body !== undefined && { body }),
    headers: { ...headers, 'X-XSRF-TOKEN': cookieOf('XSRF-TOKEN') },
    signal: AbortSignal.timeout(Math.min(deadlineMs, 2 ** 31 - 1)),
  })
  const isJson = response.headers.get('content-type')?.includes('json') === true
  return { status: response.status, body: isJson ? await response.json() : undefined }
}
