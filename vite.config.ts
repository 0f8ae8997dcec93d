import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: at('renderer'),
  plugins: [react()],
  resolve: { conditions: ['source', 'module', 'browser', 'production', 'import', 'default'] },
  build: {
    outDir: at('dist/site'),
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // ali-oss is one file of 680 kB, loaded at the first upload only.
    chunkSizeWarningLimit: 700,
  },
})
