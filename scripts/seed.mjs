// npm run seed: imports in every status, beside a running npm run dev or npm start (same PORT, DATA_DIR, ACCESS_KEY).
import { become, bootstrap } from './bootstrap.mjs';

become(bootstrap(), ['tests/seed/seed-main.ts'], process.env);
