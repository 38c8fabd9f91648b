import { paraglideVitePlugin } from '@inlang/paraglide-js';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { displayFont } from './font.ts';

export default defineConfig(({ mode }) => ({
  plugins: [
    displayFont(),
    paraglideVitePlugin({
      project: './project.inlang',
      outdir: './src/generated/paraglide',
      strategy: ['preferredLanguage', 'baseLocale'],
    }),
    svelte(),
  ],
  resolve: {
    alias: { $lib: path.resolve('src/lib'), $messages: path.resolve('src/generated/paraglide/messages.js') },
    conditions: process.env.VITEST ? ['browser'] : undefined,
  },
  build: {
    target: 'es2023',
    modulePreload: { polyfill: false },
    emptyOutDir: true,
    rolldownOptions: { input: mode === 'specimen' ? 'specimen.html' : 'index.html' },
  },
  // In development the server of `kwartet serve` answers what the page asks for.
  server: { proxy: { '/api': { target: 'http://localhost:8484', ws: true } } },
  test: { environment: 'happy-dom', include: ['src/**/*.test.ts'], testTimeout: 20_000 },
}));
