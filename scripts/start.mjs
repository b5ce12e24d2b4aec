// npm start: everything on this machine, with one command.
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['infra/start-main.ts'], process.env);
