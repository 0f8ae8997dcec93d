/** Codes of changing width packed from the lowest bit up, as GIF wants them. */
export interface BitWriter {
  put(code: number, width: number): void
  end(): Buffer
}

/** A writer that begins with room for so many bytes and grows. */
export function bitWriter(bytes: number): BitWriter {
  let out = Buffer.allocUnsafe(Math.max(64, bytes))
  let length = 0
  let held = 0
  let heldBits = 0
  return {
    put(code, width) {
      held |= code << heldBits
      heldBits += width
      if (length + 4 > out.length) out = Buffer.concat([out], out.length * 2)
      for (; heldBits >= 8; heldBits -= 8, held >>>= 8) out[length++] = held & 255
    },
    end() {
      if (heldBits > 0) out[length++] = held & 255
      return Buffer.from(out.subarray(0, length))
    },
  }
}
