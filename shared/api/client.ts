/** By this header, with every call, a client names the computer it is on: the token that the server gave it in the cookie `device`. */
export const DEVICE_HEADER = 'x-device-token'
/** What a client without a token says in its place, so that it gets one as a client. */
export const NO_DEVICE = 'new'
/** By this header a client may say what its computer is called, percent-encoded. */
export const DEVICE_NAME_HEADER = 'x-device-name'
