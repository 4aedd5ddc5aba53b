/**
 * Builds the window into dist/renderer. Nothing is inlined, because the content security policy forbids inline code and
 * styles.
 */
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const isChunk = <F extends { type: string }>(file: F | undefined): file is Extract<F, { type: 'chunk' }> =>
  file?.type === 'chunk';

/** The entry loads `start.tsx` on demand, after the language. Its scripts and styles are fetched meanwhile. */
const preloadStart: Plugin = {
  name: 'preload-start',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const start = Object.values(bundle)
        .filter(isChunk)
        .find(({ name }) => name === 'start');
      if (!start) return [];
      const imported = start.imports.map((name) => bundle[name]).filter(isChunk);
      const chunks = [start, ...imported].filter(({ isEntry }) => !isEntry);
      const css = chunks.flatMap(({ viteMetadata }) => [...(viteMetadata?.importedCss ?? [])]);
      return [
        ...chunks.map(({ fileName }) => ({ rel: 'modulepreload', href: `./${fileName}` })),
        ...css.map((name) => ({ rel: 'stylesheet', href: `./${name}` })),
      ].map((attrs) => ({ tag: 'link', attrs: { ...attrs, crossorigin: true }, injectTo: 'head' as const }));
    },
  },
};

export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react(), preloadStart],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    target: 'es2023',
    sourcemap: true,
    license: { fileName: 'licenses.md' },
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
  },
});
