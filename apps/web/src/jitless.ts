import { z } from 'zod';

// By default zod tries `new Function` when a schema is created, which violates the content security policy.
z.config({ jitless: true });
