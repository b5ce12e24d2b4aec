import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Catalogue } from './catalogue.ts';
import type { Clock } from './clock.ts';
import { parseBody, readBody, sendText } from './http-body.ts';
import { editedProduct, MerchantEdit } from './merchant-edit.ts';

/** The form on a product's page that changes it as another person would. */
export type EditForm = {
  isAt(path: string): boolean;
  /** The token that the page's form sends back; without it another website could send the form. */
  tokenOf(productId: number): string;
  answer(request: IncomingMessage, response: ServerResponse, path: string): Promise<void>;
};

const address = /^\/admin\/products\/(\d+)$/;

export function createEditForm(deps: {
  catalogue: Catalogue;
  clock: Clock;
  publicUrl: () => string;
}): EditForm {
  const secret = randomBytes(32);
  const tokenOf = (productId: number) =>
    createHmac('sha256', secret).update(String(productId)).digest('base64url');
  return {
    isAt: (path) => address.test(path),
    tokenOf,
    async answer(request, response, path) {
      const refuse = (status: number, text: string) => sendText(response, status, 'text/plain', text);
      const form = parseBody(await readBody(request), request.headers['content-type'] ?? '') ?? {};
      const product = deps.catalogue.products.get(Number(address.exec(path)?.[1]));
      if (!product) return refuse(404, 'Not found');
      if (!isSameOrigin(request, deps.publicUrl())) return refuse(403, 'Another site sent this form.');
      if (!isSame(String(form.token), tokenOf(product.id)))
        return refuse(403, 'Reload the page and try again.');
      if (form.action === 'delete') {
        deps.catalogue.deleteProduct(product.id);
      } else {
        const edit = MerchantEdit.safeParse(editOf(form));
        if (!edit.success) return refuse(400, 'A value is not valid.');
        deps.catalogue.putProduct(editedProduct(product, edit.data, deps.clock()));
      }
      await deps.catalogue.flushed();
      const location = form.action === 'delete' ? '/admin/products' : path;
      sendText(response, 303, 'text/plain', '', { location });
    },
  };
}

function editOf(form: Record<string, unknown>): object {
  const { title, price, quantity, status } = form;
  const tags = String(form.tags ?? '')
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  return { title, price, status, tags, quantity: Number(quantity) };
}

/** Browsers send Origin with every form; its host must be the one that they asked. */
function isSameOrigin({ headers }: IncomingMessage, publicUrl: string): boolean {
  const origin = headers.origin ?? '';
  if (!URL.canParse(origin)) return false;
  return [headers.host, new URL(publicUrl).host].includes(new URL(origin).host);
}

function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
