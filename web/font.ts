// The display font, cut down to the letters and weights that the page uses.
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import subset from 'subset-font';
import type { Plugin } from 'vite';

const PACKAGE = 'node_modules/@fontsource-variable/fraunces';
const TARGET = 'src/generated/fraunces.woff2';
const LATIN = Array.from({ length: 0x17f - 0x20 }, (_, i) => String.fromCharCode(0x20 + i)).join('');
const SIGNS = '\u202f–—‘’‚“”„…•×−→↔↕œŒ€';

export function displayFont(): Plugin {
  return {
    name: 'display-font',
    async configResolved({ root }) {
      const target = path.join(root, TARGET);
      if (existsSync(target)) return;
      const whole = await readFile(path.join(root, PACKAGE, 'files/fraunces-latin-full-normal.woff2'));
      const axes = { opsz: 60, SOFT: 0, WONK: 0, wght: { min: 400, max: 650 } };
      const cut = await subset(whole, LATIN + SIGNS, { targetFormat: 'woff2', variationAxes: axes });
      await mkdir(path.dirname(target), { recursive: true });
      await writeFile(target, cut);
    },
    async generateBundle() {
      const source = await readFile(path.join(PACKAGE, 'LICENSE'), 'utf8');
      this.emitFile({ type: 'asset', fileName: 'assets/fraunces-licence.txt', source });
    },
  };
}
