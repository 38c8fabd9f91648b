// Unpacks the compressed files of a folder into another: `node unpack.mjs from to`.
import { chmodSync, createReadStream, createWriteStream, mkdirSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';

const [from, to] = process.argv.slice(2);
mkdirSync(to, { recursive: true });
for (const file of readdirSync(from).filter((name) => name.endsWith('.br'))) {
  const unpacked = path.join(to, file.slice(0, -'.br'.length));
  await pipeline(createReadStream(path.join(from, file)), createBrotliDecompress(), createWriteStream(unpacked));
  chmodSync(unpacked, 0o755);
}
