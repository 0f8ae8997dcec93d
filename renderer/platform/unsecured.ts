// A page that came over plain HTTP from another computer, as in an office's own network, is refused what follows by browsers
// (https://w3c.github.io/webappsec-secure-contexts/): each has to do without.

/** 128 random bits in decimal; `crypto.randomUUID` is not to be had everywhere. */
export const newId = (): string => crypto.getRandomValues(new BigUint64Array(2)).join('-')

/** By which tabs know of each other; where there are none, each is on its own. */
export const tabLocks = navigator.locks as LockManager | undefined // its type knows of secured pages only
