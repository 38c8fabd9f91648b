import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { displayFont } from './font.ts';

const PAGES = { index: 'index.html', offline: 'offline.html', sw: 'worker/sw.ts' };

/** Tells the service worker the files of its build, so that it changes with any of them. */
function buildList(): Plugin {
  return {
    name: 'build-list',
    generateBundle(_, bundle) {
      const worker = bundle['sw.js'];
      if (worker?.type !== 'chunk') return;
      const files = Object.keys(bundle).filter((file) => file.startsWith('assets/'));
      worker.code = worker.code.replace('__ASSETS__', JSON.stringify(files.sort().map((file) => `/${file}`)));
    },
  };
}

/**
 * Has a page load what its script imports at the same time as the script. Preloading would say just
 * that, but Chromium loads what a service worker hands out for a preload twice, and complains.
 */
function loadAtOnce(): Plugin {
  return {
    name: 'load-at-once',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { chunk }) =>
        chunk?.imports.map((file) => ({
          tag: 'script',
          attrs: { type: 'module', crossorigin: true, src: `/${file}` },
          injectTo: 'head' as const,
        })),
    },
  };
}

/** Leaves a brotli and a gzip beside each file that gets smaller by it; the server hands them out. */
function compressed(): Plugin {
  let folder = '';
  const forms = { br: zlib.brotliCompressSync, gz: (file: Buffer) => zlib.gzipSync(file, { level: 9 }) };
  return {
    name: 'compressed',
    apply: 'build',
    configResolved: ({ build }) => void (folder = build.outDir),
    closeBundle() {
      for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
        if (!/\.(js|css|html|svg|webmanifest)$/.test(entry.name)) continue;
        const file = path.join(entry.parentPath, entry.name);
        const content = fs.readFileSync(file);
        for (const [ending, compress] of Object.entries(forms)) {
          const form = compress(content);
          if (form.length < content.length) fs.writeFileSync(`${file}.${ending}`, form);
        }
      }
    },
  };
}

export default defineConfig(({ mode }) => ({
  plugins: [
    displayFont(),
    paraglideVitePlugin({
      project: './project.inlang',
      outdir: './src/generated/paraglide',
      strategy: ['preferredLanguage', 'baseLocale'],
    }),
    svelte(),
    loadAtOnce(),
    buildList(),
    compressed(),
  ],
  resolve: {
    alias: { $lib: path.resolve('src/lib'), $messages: path.resolve('src/generated/paraglide/messages.js') },
    conditions: process.env.VITEST ? ['browser'] : undefined,
  },
  build: {
    target: 'es2023',
    modulePreload: false,
    emptyOutDir: true,
    rolldownOptions: {
      input: mode === 'specimen' ? 'specimen.html' : PAGES,
      output: { entryFileNames: ({ name }) => (name === 'sw' ? 'sw.js' : 'assets/[name]-[hash].js') },
    },
  },
  // In development the server of `kwartet serve` answers what the page asks for.
  server: { proxy: { '/api': { target: 'http://localhost:8484', ws: true } } },
  test: { environment: 'happy-dom', include: ['src/**/*.test.ts'], testTimeout: 20_000 },
}));
