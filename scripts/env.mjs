// npm run env -- FILE: .env.example with random secrets, as a new file.
import path from 'node:path';
import { become, bootstrap } from './bootstrap.mjs';

// npm runs scripts in the root; a file is named from where the operator is.
const args = process.argv.slice(2).map((one) => path.resolve(process.env.INIT_CWD ?? '.', one));
become(bootstrap(), ['packages/backup/src/env-main.ts', ...args], process.env);
