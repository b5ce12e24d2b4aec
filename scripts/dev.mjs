// npm run dev: everything on this machine, with the sources watched. The web app is Vite's, with hot reload.
import path from 'node:path';
import { become, bootstrap, root } from './bootstrap.mjs';

const compiled = { NODE_COMPILE_CACHE: path.join(root, '.cache/node') };

become(bootstrap(), ['infra/start-main.ts', '--dev'], { ...compiled, ...process.env });
