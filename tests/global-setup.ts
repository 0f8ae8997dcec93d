import { compile } from '#build/compile'

/** The engine's child processes run the compiled sources, so these are made current before any test. */
export function setup(): void {
  compile()
}
