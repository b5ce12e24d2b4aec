import type { IncomingMessage, ServerResponse } from 'node:http';
import { z } from 'zod';
import type { Access } from './access.ts';
import type { Catalogue, StoredProduct } from './catalogue.ts';
import type { Clock } from './clock.ts';
import { Fault, type Faults } from './faults.ts';
import { parseBody, readBody, sendJson } from './http-body.ts';
import type { Stats } from './stats.ts';

export type ControlDeps = {
  access: Access;
  catalogue: Catalogue;
  clock: Clock;
  faults: Faults;
  stats: Stats;
};

/** A simulated manual change by the merchant; `price` is the first variant's. */
const Edit = z.strictObject({
  title: z.string().optional(),
  descriptionHtml: z.string().optional(),
  vendor: z.string().optional(),
  productType: z.string().optional(),
  status: z.enum(['ACTIVE', 'ARCHIVED', 'DRAFT']).optional(),
  tags: z.array(z.string()).optional(),
  price: z.string().optional(),
  metafield: z
    .object({ namespace: z.string(), key: z.string(), type: z.string(), value: z.string() })
    .optional(),
  deleted: z.literal(true).optional(),
});
type Edit = z.infer<typeof Edit>;

/** Control calls for tests: POST and DELETE /__faults, GET /__products and /__stats, POST /__edit/<id>. */
export async function answerControl(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  deps: ControlDeps,
): Promise<void> {
  const refused = refusalOf(request, deps.access);
  if (refused) return sendJson(response, refused.status, { errors: refused.errors });
  const call = `${request.method} ${path}`;
  if (call === 'GET /__products') return sendJson(response, 200, [...deps.catalogue.products.values()]);
  if (call === 'GET /__stats')
    return sendJson(response, 200, { ...deps.stats, products: deps.catalogue.products.size });
  if (call === 'DELETE /__faults') {
    deps.faults.clear();
    return sendJson(response, 200, {});
  }
  const body = parseBody(await readBody(request), 'application/json');
  if (call === 'POST /__faults') {
    const fault = Fault.safeParse(body);
    if (!fault.success) return sendJson(response, 400, { errors: z.prettifyError(fault.error) });
    deps.faults.add(fault.data);
    return sendJson(response, 200, fault.data);
  }
  const [, id] = /^POST \/__edit\/(\d+)$/.exec(call) ?? [];
  const product = deps.catalogue.products.get(Number(id));
  const edit = Edit.safeParse(body);
  if (!product) return sendJson(response, 404, { errors: 'Not Found' });
  if (!edit.success) return sendJson(response, 400, { errors: z.prettifyError(edit.error) });
  if (edit.data.deleted) deps.catalogue.deleteProduct(product.id);
  else deps.catalogue.putProduct(editedProduct(product, edit.data, deps.clock()));
  await deps.catalogue.flushed();
  sendJson(response, 200, deps.catalogue.products.get(product.id) ?? {});
}

function editedProduct(product: StoredProduct, edit: Edit, nowMs: number): StoredProduct {
  const { price, metafield, deleted: _, ...texts } = edit;
  const variants = product.variants.map((variant, index) =>
    index === 0 && price !== undefined ? { ...variant, price } : variant,
  );
  const metafields = metafield
    ? [...product.metafields, { id: product.id, ...metafield }]
    : product.metafields;
  return { ...product, ...texts, variants, metafields, updatedAtMs: nowMs };
}

/**
 * Why a call is refused, or undefined. A website can reach this machine through its visitor's browser, also with its
 * own domain pointing here, so the caller's address proves nothing. Required are a loopback name in Host, the store's
 * access token, and for a body a content type that pages cannot send to other origins without permission.
 */
function refusalOf(request: IncomingMessage, access: Access): { status: number; errors: string } | undefined {
  const { host = '', 'content-type': contentType = '', 'x-shopify-access-token': token } = request.headers;
  if (!isLoopback(request.socket.remoteAddress) || !loopbackHost.test(host)) {
    return { status: 403, errors: 'loopback only' };
  }
  if (!access.allows(String(token))) return { status: 401, errors: 'x-shopify-access-token is needed' };
  if (request.method === 'POST' && !/^application\/json(?:;|$)/i.test(contentType)) {
    return { status: 415, errors: 'application/json is needed' };
  }
  return undefined;
}

const loopbackHost = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i;

function isLoopback(address: string | undefined): boolean {
  return /^(127\.|::1$|::ffff:127\.)/.test(address ?? '');
}
