import { ensurePackages, show } from './setup.mjs'

ensurePackages()
const { compile } = await import('./compile.mjs')
compile()
show(process.execPath, ['build/qingtu.mjs'])
console.log('')
show(process.execPath, ['build/qingtu.mjs', 'tools'])
show(process.execPath, ['build/demo.mjs'])
