/**
 * Builds the window into dist/renderer. Nothing is inlined, because the content security policy forbids inline code and
 * styles.
 */
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

/** The entry loads `start.tsx` on demand, after the language. Its scripts and styles are fetched meanwhile. */
const preloadStart: Plugin = {
  name: 'preload-start',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const start = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'start');
      if (start?.type !== 'chunk') return [];
      const chunks = [start, ...start.imports.map((name) => bundle[name])].filter(
        (file) => file?.type === 'chunk' && !file.isEntry,
      );
      const css = chunks.flatMap((chunk) =>
        chunk?.type === 'chunk' ? [...(chunk.viteMetadata?.importedCss ?? [])] : [],
      );
      return [
        ...chunks.map((chunk) => ({ rel: 'modulepreload', href: `./${chunk?.fileName}` })),
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
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
  },
});
