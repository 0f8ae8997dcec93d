/** What is used here of WebAssembly and of base64: both are wherever this code runs, and in no library its types may name. */
interface Runtime {
  readonly atob: (text: string) => string
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object
    readonly Instance: new (module: object, imports: object) => { readonly exports: unknown }
  }
}

/** Of every kernel: its memory, which is another one after it grew, and room in it. */
export interface Kernel {
  readonly memory: { readonly buffer: ArrayBuffer }
  /** Makes room for so many bytes; comes back with the address where it begins. */
  readonly reserve: (bytes: number) => number
}

/** A kernel from its bytes in base64, ready at once: in a page that is for workers only, whose threads may wait for its compiling. */
export function loadKernel<Exports extends Kernel>(base64: string): Exports {
  // Node, pages and workers have both as globals; the types of neither are asked for here.
  const { atob, WebAssembly } = globalThis as unknown as Runtime
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  // The kernel's own source says what it exports.
  return new WebAssembly.Instance(new WebAssembly.Module(bytes), {}).exports as Exports
}
