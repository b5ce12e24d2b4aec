// npm run test:containers: the compose file for real, with containers that crash on the way (tests/containers).
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/containers/containers-main.ts', ...process.argv.slice(2)], process.env);
