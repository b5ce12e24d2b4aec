import { z } from 'zod';
import { route } from './route.ts';

export const connectionServices = ['shopify', 'onedrive', 'upc_services'] as const;

export const Connection = z.object({
  id: z.string(),
  service: z.enum(connectionServices),
  /** 'connected', 'disconnected' or another word, shown as given. */
  status: z.string(),
  details: z.object({
    shopDomain: z.string().optional(),
    /** URL of the store's admin, for View links. */
    adminUrl: z.string().optional(),
    message: z.string().optional(),
    services: z.array(z.object({ name: z.string(), active: z.boolean() })).optional(),
  }),
});
export type Connection = z.infer<typeof Connection>;

export const listConnections = route({
  method: 'GET',
  path: '/api/connections',
  reply: z.array(Connection),
});

export const testConnection = route({
  method: 'POST',
  path: '/api/connections/test/:service',
  params: z.object({ service: z.string() }),
  reply: z.object({ success: z.boolean(), message: z.string() }),
});
