import { expect, it } from 'vitest';
import { findPictureRefusal } from './picture.tsx';

const origin = 'http://127.0.0.1:3000';
const refusal = (src: string, isChecked = false) => findPictureRefusal(src, { isChecked, origin });

it.each([
  'http://192.168.0.1/reboot?.png',
  'http://127.0.0.1:9000/a.png',
  'http://router/a.png',
  'http://[::1]/a.png',
  'https://cdn.example:8443/a.png',
  'https://user@cdn.example/a.png',
])('%s is loaded only after a check', (src) => {
  expect(refusal(src)).not.toBeNull();
  expect(refusal(src, true)).toBeNull();
});

it.each([
  'https://cdn.example/a.png',
  'http://127.0.0.1:3000/sample/a.png',
  '/sample/a.png',
  'data:image/jpeg;base64,/9j/',
  'blob:http://127.0.0.1:3000/5b0c4a1e',
])('%s is loaded', (src) => {
  expect(refusal(src)).toBeNull();
});

it('what is no address is not loaded', () => {
  expect(refusal('http://')).not.toBeNull();
});
