import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { configurationPage } from './configuration.ts';

await writeFile(fileURLToPath(new URL('../docs/CONFIGURATION.md', import.meta.url)), configurationPage());
