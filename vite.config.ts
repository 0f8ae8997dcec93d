import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** Has the browser fetch the workspace along with the shell that asks for it, not after it. */
const preloadWorkspace: Plugin = {
  name: 'preload-workspace',
  transformIndexHtml: {
    order: 'post',
    handler: (_html, { bundle = {} }) => {
      const chunks = Object.values(bundle).filter((one) => one.type === 'chunk')
      const workspace = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/tools/workspace.tsx'))
      if (!workspace) throw new Error('no chunk of tools/workspace.tsx to preload')
      const known = new Set(chunks.filter(({ isEntry }) => isEntry).flatMap(({ fileName, imports }) => [fileName, ...imports]))
      const scripts = [workspace.fileName, ...workspace.imports].filter((name) => !known.has(name))
      return scripts.map((name) => ({
        tag: 'link',
        attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` },
        injectTo: 'head' as const,
      }))
    },
  },
}

export default defineConfig({
  root: at('renderer'),
  plugins: [react(), preloadWorkspace],
  resolve: {
    conditions: ['own-source', 'module', 'browser', 'production', 'import', 'default'],
    // Its package names no condition for the build without warnings.
    alias: [
      { find: /^react-router$/, replacement: at('node_modules/react-router/dist/production/index.mjs') },
      { find: /^react-router\/dom$/, replacement: at('node_modules/react-router/dist/production/dom-export.mjs') },
    ],
  },
  // A worker's effects are loaded one by one.
  worker: { format: 'es' },
  build: {
    outDir: at('dist/site'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // All styles are a few kB; apart, each script would wait for a file more.
    cssCodeSplit: false,
    // ali-oss is one file of 680 kB, loaded at the first upload only.
    chunkSizeWarningLimit: 700,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // What the first sight needs anyhow, with all it imports, in one file: in dozens it weighs three per cent more.
          groups: [{ name: 'page', test: /renderer\/state\/batch\.ts$/ }],
        },
      },
    },
  },
})
