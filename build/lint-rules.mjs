import { dirname, resolve } from 'node:path'

/**
 * The project's own lint rules, loaded by oxlint (see .oxlintrc.json).
 * @typedef {{ type: string, loc: { start: { line: number } }, [key: string]: any }} Node
 */

/** What each folder may import: its own files, other folders through `#…`, and the packages and built-ins of its world. */
const allowed = {
  shared: { own: ['shared'], packages: /^zod\/mini$/, builtins: false },
  engine: {
    own: ['shared', 'engine'],
    packages:
      /^(sharp|file-type|@jsquash\/oxipng|@zip\.js\/zip\.js|@imagemagick\/magick-wasm|elheif|onnxruntime-node|pdfjs-dist|fflate|@hyzyla\/pdfium)(\/|$)/,
    builtins: true,
  },
  server: {
    own: ['shared', 'engine', 'server'],
    packages:
      /^(fastify|fastify-type-provider-zod|zod|drizzle-orm|pg|pino|prom-client|ali-oss|yazl|alipay-sdk|wechatpay-axios-plugin|otpauth|@zip\.js\/zip\.js|@(fastify|electric-sql|alicloud|zxcvbn-ts)\/[\w-]+)(\/|$)/,
    builtins: true,
  },
  electron: {
    own: ['shared', 'engine', 'electron'],
    packages: /^(electron|electron-store|electron-updater|zod\/mini|yazl)(\/|$)/,
    builtins: true,
  },
  renderer: {
    own: ['shared', 'renderer'],
    packages:
      /^(react|react-dom|react-router-dom|jotai|lucide-react|@tanstack\/react-virtual|qrcode-generator|ali-oss|fflate|pdfjs-dist|zod\/mini)(\/|$)/,
    builtins: false,
  },
  tests: { own: ['shared', 'engine', 'server', 'electron', 'renderer', 'build'], packages: /./, builtins: true },
  build: { own: ['engine', 'shared', 'server'], packages: /./, builtins: true },
}

const folderOf = (/** @type {string} */ file, /** @type {string} */ cwd) => {
  const [folder = ''] = file.slice(cwd.length + 1).split(/[/\\]/)
  return Object.hasOwn(allowed, folder) ? /** @type {keyof typeof allowed} */ (folder) : undefined
}

/** Why an import may not stand in a file of a folder, or undefined. */
function refusal(
  /** @type {string} */ specifier,
  /** @type {keyof typeof allowed} */ folder,
  /** @type {string} */ file,
  /** @type {string} */ cwd,
) {
  const { own, packages, builtins } = allowed[folder]
  if (specifier.startsWith('.')) {
    const climbs = specifier.split('/').filter((part) => part === '..').length
    const isInside = folder === 'build' || folderOf(resolve(dirname(file), specifier), cwd) === folder
    return climbs <= 1 && isInside
      ? undefined
      : 'a relative import climbs at most one folder and stays in its own; across folders use #folder/…'
  }
  if (specifier.startsWith('#')) {
    return own.includes(specifier.slice(1).split('/')[0] ?? '') ? undefined : `${folder}/ may not import ${specifier}`
  }
  if (specifier.startsWith('node:')) return builtins ? undefined : `${folder}/ runs without Node: ${specifier}`
  return packages.test(specifier) ? undefined : `${specifier} does not belong in ${folder}/`
}

const boundaries = {
  create(/** @type {any} */ context) {
    const folder = folderOf(context.filename, context.cwd)
    if (folder === undefined) return {}
    const check = (/** @type {Node} */ node) => {
      const specifier = node['source']?.value
      const reason = typeof specifier === 'string' ? refusal(specifier, folder, context.filename, context.cwd) : undefined
      if (reason) context.report({ node, message: reason })
    }
    return { ImportDeclaration: check, ExportNamedDeclaration: check, ExportAllDeclaration: check, ImportExpression: check }
  },
}

/** The lines on which a comment stands that is not a doc comment (those say what a thing is, not why a cast is sound). */
const commentLines = (/** @type {any} */ context) => {
  const remarks = context.sourceCode
    .getAllComments()
    .filter((/** @type {any} */ one) => !(one.type === 'Block' && one.value.startsWith('*')))
  return new Set(remarks.flatMap((/** @type {any} */ { loc }) => [loc.start.line, loc.end.line]))
}

const castNeedsReason = {
  create(/** @type {any} */ context) {
    const lines = commentLines(context)
    const check = (/** @type {Node} */ node) => {
      const isConst = node['typeAnnotation']?.typeName?.name === 'const'
      const { start, end } = /** @type {any} */ (node.loc)
      if (isConst || lines.has(start.line - 1) || lines.has(start.line) || lines.has(end.line)) return
      context.report({ node, message: 'a cast needs its reason in a comment on its line or the line before' })
    }
    return { TSAsExpression: check, TSTypeAssertion: check }
  },
}

const documentedExports = {
  create(/** @type {any} */ context) {
    const comments = context.sourceCode.getAllComments()
    const isDocumented = (/** @type {Node} */ node) =>
      comments.some(
        (/** @type {any} */ one) => one.type === 'Block' && one.value.startsWith('*') && one.loc.end.line === node.loc.start.line - 1,
      )
    return {
      ExportNamedDeclaration(/** @type {Node} */ node) {
        if (!node['declaration'] || isDocumented(node)) return
        context.report({ node, message: 'an export of shared/ and engine/ has a doc comment' })
      },
    }
  },
}

export default {
  meta: { name: 'qingtu' },
  rules: { boundaries, 'cast-needs-reason': castNeedsReason, 'documented-exports': documentedExports },
}
