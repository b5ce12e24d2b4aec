// A separate process, because the package unpacks into the temporary directory, which is set per process.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inflate } from '@sparticuz/chromium';

const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin');
await Promise.all(
  ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'].map((archive) => inflate(join(packed, archive))),
);
