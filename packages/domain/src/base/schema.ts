import { z } from 'zod';

// By default zod tries `new Function` when a schema is created, which the web's content security policy forbids.
if (typeof document !== 'undefined') z.config({ jitless: true });

export { z };
