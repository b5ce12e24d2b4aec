import { runInNewContext } from 'node:vm';
import { expect, it, test } from 'vitest';
import { cleanHtml } from './clean-html.ts';

it.each([
  ['a script', '<p>Vase</p><script>alert(1)</script>', '<p>Vase</p>'],
  ['an event handler', '<p onclick="steal()">Vase</p>', '<p>Vase</p>'],
  ['a javascript address', '<a href="javascript:steal()">Vase</a>', '<a>Vase</a>'],
  ['a javascript address with entities', '<a href="java&#115;cript&colon;x()">Vase</a>', '<a>Vase</a>'],
  ['a javascript address with a line break', '<a href="java\nscript:x()">Vase</a>', '<a>Vase</a>'],
  [
    'a frame of another site',
    '<p>Vase</p><iframe src="https://evil.example/x"></iframe>',
    '<p>Vase</p><iframe></iframe>',
  ],
  ['a form', '<form action="https://evil.example"><input name="card"></form>Vase', 'Vase'],
  ['a style sheet', '<style>body { display: none }</style><p>Vase</p>', '<p>Vase</p>'],
  ['an unclosed script', 'Vase<script>alert(1)', 'Vase'],
  ['a script in a picture', '<img src=x onerror=alert(1)>', '<img src="x" />'],
  ['CDATA, a comment up to its first bracket', '<![CDATA[><img src=x onerror=x()>]]>', '<img src="x" />]]>'],
  ['CDATA with a tag inside', 'Vase<![CDATA[<b>><img src=x onerror=x()>]]>', 'Vase><img src="x" />]]>'],
  ['a tag that is not closed', '<p>Vase</p><img src=x onerror=x() ', '<p>Vase</p>'],
  ['a quote that is not closed', '<p>Vase</p><img alt="', '<p>Vase</p>'],
  ['a comment that is not closed', '<p>Vase</p><!-- <img src=x>', '<p>Vase</p>'],
  ['a comment that ends a surrounding element', 'Vase<!-- </noscript><img src=x onerror=x()> -->', 'Vase'],
  ['an abruptly closed comment', '<!--><img src=x onerror=x()>-->', '<img src="x" />-->'],
  ['an instruction', '<?xml ?><!DOCTYPE html></ x>Vase', 'Vase'],
  [
    'brackets of an attribute',
    '<p title="</noscript><img src=x>">Vase</p>',
    '<p title="&lt;/noscript&gt;&lt;img src=x&gt;">Vase</p>',
  ],
  ['drawings', '<svg><style><img src=x onerror=x()></style></svg>Vase', 'Vase'],
  ['the end of the page around it', 'Vase</div></p></td>', 'Vase'],
  [
    'an element left open',
    '<a href="https://shop.example"><b>Vase',
    '<a href="https://shop.example"><b>Vase</b></a>',
  ],
  [
    'the end of a link that a table keeps open',
    '<a href="https://shop.example"><table></a></table>Vase',
    '<a href="https://shop.example"><table></table>Vase</a>',
  ],
  ['parts of a table outside of one', '<td>Vase</td></tr>', 'Vase'],
  [
    'a frame left open',
    '<iframe src="https://player.vimeo.com/1"><img src=x>',
    '<iframe src="https://player.vimeo.com/1"></iframe>',
  ],
  [
    'what makes a tooltip library run its title',
    '<span class="lead" data-toggle="tooltip" data-html="true" title="&lt;img src=x onerror=x()&gt;">Vase</span>',
    '<span class="lead" title="&lt;img src=x onerror=x()&gt;">Vase</span>',
  ],
  ['a binding that a library runs', '<p data-bind="text: x()" data-hx-get="/x">Vase</p>', '<p>Vase</p>'],
  [
    'names that scripts and links of the page look up',
    '<a name="cart"><b id="cart">Vase</b></a>',
    '<a><b>Vase</b></a>',
  ],
])('removes %s', (_what, html, clean) => {
  expect(cleanHtml(html)).toBe(clean);
  expect(cleanHtml(clean)).toBe(clean);
});

it.each([
  'Vase & lamp',
  'A < B and C > D',
  '<p>Vase<br>\nwith &nbsp; &quot;marks&quot;</p>',
  '<table border=1><tr><td colspan=2 style="color:red">10 cm</td></tr></table>',
  '<ul><li>One<li>Two</ul>',
  '<img src="https://cdn.example/a.jpg" alt="Vase">',
  '<iframe src="https://www.youtube.com/embed/x" allowfullscreen></iframe>',
  '<h2>Größe</h2><p class="lead">Vase</p>',
  '<!-- more --><P ALIGN=center>Vase</P ><br/><hr />',
  '<a href="/pages/care?a=1&b=2#c">Care</a> <a href="mailto:a@b.example">Mail</a>',
  '<img src="data:image/png;base64,AAAA" srcset="a.jpg 1x, https://cdn.example/b.jpg 2x">',
  '<b>Vase</b> <i><u>with</i></u> crossed tags',
  '<h1>Vase</h2>Blue<p>10 cm<p>2 kg<ul><li><p>One<li>Two</ul>',
  '<table><td><div>10 cm<td><b>2 kg</table>Vase',
  '<div><span>Vase<div>Blue</div></span></div>',
  '<p><b>Vase<p>Blue</b>',
])('returns %s as it is', (html) => {
  expect(cleanHtml(html)).toBe(html);
});

it.each([
  'color:red;background-color: rgb(255, 255, 255); text-align : center',
  "font-family: Arial, 'Open Sans', &quot;宋体&quot;, sans-serif; font-size:12.5pt; font-weight:700 !important",
  'margin:0 auto;padding:10px 2em;border:1px solid #ccc;width:100%;max-width:600px;line-height:1.5',
  'display:inline-block;float:left;vertical-align:middle;list-style:none;font-size:.9em',
])('keeps the style %s', (style) => {
  expect(cleanHtml(`<p style="${style}">Vase</p>`)).toBe(`<p style="${style}">Vase</p>`);
});

it.each([
  ['position:fixed;inset:0;z-index:9999;color:red', 'color:red'],
  ['position&colon;fixed;p&#111;sition:fixed;\\70osition:fixed', ''],
  ['background:url(https://evil.example/x)', ''],
  ['margin-top:-900px;padding:900px;padding:90vh;border:2000px solid', ''],
  ['transform:scale(9);opacity:.9;width:expression(alert(1))', ''],
  ['font-size:900px;line-height:900px;text-indent:-99px', ''],
  ['font-size:1.4em;height:0;color:red', 'font-size: 22.4px; color:red'],
  ['display:inline;float:none;padding:100px', 'float:none; padding:100px'],
  ['font-family:"a;position:fixed;b"', ''],
  ['color:red/*;position:fixed*/', ''],
])('of the style %s it leaves %s', (style, left) => {
  const written = style.replaceAll('"', '&quot;');
  const clean = left === '' ? '<p>Vase</p>' : `<p style="${left}">Vase</p>`;
  expect(cleanHtml(`<p style="${written}">Vase</p>`)).toBe(clean);
});

test('an inline element, which covers its surroundings with its padding, has little of it', () => {
  const link = '<a style="padding:10px 20px">Vase</a>';
  expect(cleanHtml(link)).toBe(link);
  expect(cleanHtml('<a style="padding:90px">Vase</a>')).toBe('<a>Vase</a>');
});

test('a cell of a table may say its height, unless it is no cell by its style', () => {
  expect(cleanHtml('<table><td style="height:9px;float:left;display:block">')).toContain(
    '<td style="height:9px">',
  );
});

test('elements are at most 256 deep, and all of them end', () => {
  const clean = cleanHtml(`${'<div>'.repeat(1000)}Vase`);
  expect(clean).toBe(`${'<div>'.repeat(256)}Vase${'</div>'.repeat(256)}`);
  const list = `<ul>${'<li>Vase'.repeat(1000)}</ul>`;
  expect(cleanHtml(list)).toBe(list);
});

/** A cell may be a megabyte long. Code with quadratic time would take minutes for it. */
const cellChars = 1024 * 1024;
const enoughMs = 20_000;

test.each([
  '<b>',
  '<p>',
  '<b></i>',
  '<![CDATA[',
  '<!--',
  '<!-->',
  '<iframe>',
  '<',
  '<a ',
  ' a1=',
  ' a="',
  '<b a="',
  '<p style="color:',
  '<p style="a:b;;">',
])('a megabyte of %s is cleaned in one pass', (piece) => {
  ends(piece.repeat(Math.ceil(cellChars / piece.length)));
});

test('a megabyte of attributes, of one attribute and of one style is cleaned in one pass', () => {
  const attributes = Array.from({ length: 150_000 }, (_, at) => ` a${at}`).join('');
  ends(`<p ${attributes}><p ${' class=a'.repeat(cellChars / 8)}><p ${'/'.repeat(cellChars)}>`);
  for (const piece of ['a:b;', 'color:red;', '(', '"', 'a ', '&quot;', '1', ';']) {
    ends(`<p style='${piece.repeat(cellChars / piece.length)}'>`);
    ends(`<p style='color:${piece.repeat(cellChars / piece.length)}'>`);
  }
});

function ends(html: string): void {
  runInNewContext('work()', { work: () => cleanHtml(html) }, { timeout: enoughMs });
}
