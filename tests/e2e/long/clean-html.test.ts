import { cleanHtml } from '@draftshelf/publishing/clean-html';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { testInChromium } from '../chromium-test.ts';

// What is sent to the store, on a page of a shop in a real browser: no description runs a script, covers its
// surroundings or changes what follows it.

const run = 'window.ran=(window.ran||0)+1';
const img = `<img src=x onerror="${run}">`;
const cover = (style: string) => `<a href="https://evil.example" style="${style};background:red">cover</a>`;

const descriptions = [
  `<![CDATA[>${img}]]>`,
  `<![CDATA[><img src=x onerror=${run}>]]>`,
  `<![CDATA[ <b>x</b> ]]>${img}`,
  `<p>Vase</p><img src=x onerror=${run} `,
  `<p>Vase</p><img src=x onerror=${run} alt="`,
  `<p>Vase</p><svg onload=${run} `,
  `<p>Vase</p><a href="https://evil.example" `,
  '<p>Vase</p><textarea>',
  '<p>Vase</p><script>',
  '<p>Vase</p><!--',
  '<p>Vase</p><style>',
  '<p>Vase</p><plaintext>',
  '<p>Vase</p></div></section></main><div style="position:fixed;inset:0">',
  '<a href="https://evil.example"><b>Vase',
  '<p>Vase &lt;<',
  `Vase <<form>${img.slice(1)}`,
  '<table><tr><td>Vase',
  '<a href="https://evil.example"><table></a></table>',
  `<!-->${img}-->`,
  `<!--->${img}-->`,
  `<!-- --!>${img}-->`,
  `<!-- </noscript></textarea></title>${img} -->`,
  `<!x>${img}`,
  `<?xml >${img} ?>`,
  `</ x>${img}`,
  `<p title="</noscript></textarea>${img.replaceAll('"', '')}">Vase</p>`,
  `<p title='</noscript></textarea>${img}'>Vase</p>`,
  `<script>${run}</script>`,
  `<script>${run}</script >`,
  `<scr<script>ipt>${run}</script>`,
  `<script/x>${run}</script\t>`,
  `<svg><script>${run}</script></svg>`,
  `<svg><style><img src=x onerror=${run}></style></svg>`,
  `<svg><![CDATA[</svg>${img}]]></svg>`,
  `<math><mtext><table><mglyph><style><!--</style>${img}`,
  `<math><annotation-xml encoding="text/html">${img}</annotation-xml></math>`,
  `<noscript><p title="</noscript>${img}">`,
  `<template>${img}</template>`,
  `<select><option>${img}</select>`,
  `<textarea></textarea>${img}`,
  `<iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
  `<iframe src="javascript:parent.ran=1"></iframe>`,
  `<iframe src="https://www.youtube.com.evil.example/"></iframe>`,
  `<iframe src="https://www.youtube.com/embed/x">${img}</iframe>${img}`,
  `<object data="javascript:${run}"></object><embed src="javascript:${run}">`,
  `<a href="java&#10;script:${run}" id=click>Vase</a>`,
  `<span data-toggle=tooltip data-html=true title="${img.replaceAll('"', '&quot;')}">Vase</span>`,
  `<p data-bind="text: ${run}" data-hx-get=/x><a name=getElementById>Vase</a>`,
  `<a href="\u0001javascript:${run}">Vase</a>`,
  `<form action="javascript:${run}"><button autofocus onfocus=${run}>Vase</button></form>`,
  `<details open ontoggle=${run}>Vase</details>`,
  `<video src=x onerror=${run}><source src=x onerror=${run}></video>`,
  `<body onload=${run}><p onpointerrawupdate=${run} onanimationstart=${run}>Vase`,
  `<img src=x\u000bonerror=${run}><img/src=x/onerror=${run}><img src=x\nonerror\n=\n${run}>`,
  `<img """><script>${run}</script>">`,
  `<img title="a"onerror=${run} src=x>`,
  `<img src='x' title='"' onerror=${run} alt='"'>`,
  `<image src=x onerror=${run}>`,
  `<meta http-equiv=refresh content="0;url=javascript:${run}"><base href="https://evil.example/">`,
  '<link rel=stylesheet href="data:text/css,*{display:none}"><style>*{position:fixed;inset:0}</style>',
  cover('position:fixed;inset:0;z-index:9999'),
  cover('POSITION :absolute;left:-9px;top:-999px;width:9999px;height:9999px;display:block'),
  cover('p\\6fsition:fixed;inset:0'),
  cover('position&colon;fixed;p&#111;sition:fixed;inset:0'),
  cover('/**/position:fixed;inset:0;/**/'),
  cover('display:inline-block;margin:-900px;padding:900px'),
  cover('padding:900px;border:900px solid red;outline:900px solid red;box-shadow:0 0 0 900px red'),
  cover('transform:scale(99);zoom:99;translate:-99px -99px;font-size:9999px;line-height:0'),
  cover('color:red;}*{position:fixed'),
  cover('font-family:&quot;a;position:fixed;inset:0;&quot;'),
  `<div style="height:0">${cover('display:inline-block;width:900px;min-height:900px')}</div>`,
  `<table height=1 style="display:block"><td height=1 style="float:left">${cover('display:block;min-height:900px')}</table>`,
  `<div style="font-size:3em">`.repeat(9) + cover('line-height:0;padding:1em'),
];

const shopPage = (all: readonly string[]) =>
  `<!DOCTYPE html><html><body style="margin:0"><main>${all
    .map(
      (
        html,
      ) => `<section><button>Buy</button><div class="description" style="margin:60px 0">${html}</div><button>Care</button></section>
    <noscript class="description">${html}</noscript>`,
    )
    .join('\n')}</main><img src="/control" onerror="window.controlRan=true"></body></html>`;

testInChromium(
  'no description runs a script, or covers or changes the page around it',
  async ({ chromium }) => {
    const page = await chromium.newPage({ baseURL: 'http://shop.example' });
    try {
      const html = shopPage(descriptions.map(cleanHtml));
      await page.route('**/*', (route) =>
        route.request().resourceType() === 'document' && route.request().url() === 'http://shop.example/'
          ? route.fulfill({ contentType: 'text/html; charset=utf-8', body: html })
          : route.abort(),
      );
      await page.goto('/');
      await page.waitForFunction('window.controlRan');
      expect(await page.evaluate('window.ran')).toBeUndefined();
      expect(await coveredButtons(page)).toEqual([]);
      expect(await page.locator('main > section').count()).toBe(descriptions.length);
      expect(await page.locator('section > button').count()).toBe(2 * descriptions.length);
      expect(await strangeElements(page, descriptions.map(cleanHtml))).toEqual([]);
      expect(await strangeElements(page, mixtures(3000).map(cleanHtml))).toEqual([]);
    } finally {
      await page.close();
    }
  },
);

/** The numbers of the descriptions that cover a button above or below, or cannot be pressed beside. */
const coveredButtons = (page: Page): Promise<number[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main > section')].flatMap((section, at) => {
      const isCovered = [...section.querySelectorAll(':scope > button')].some((button) => {
        button.scrollIntoView({ block: 'center' });
        const { x, y, width, height } = button.getBoundingClientRect();
        return document.elementFromPoint(x + width / 2, y + height / 2) !== button;
      });
      return isCovered ? [at] : [];
    }),
  );

/** The descriptions that a browser reads with active content, or that change what follows them. */
const strangeElements = (page: Page, all: readonly string[]): Promise<string[]> =>
  page.evaluate((all) => {
    const active =
      'script,style,svg,math,template,textarea,select,form,object,embed,base,meta,link,noscript,[srcdoc]';
    return all.filter((html) => {
      const text = `<body><section>${html}</section><p id="after">after</p>`;
      const read = new DOMParser().parseFromString(text, 'text/html');
      const isScript = (address: string) =>
        URL.parse(address, 'http://shop.example')?.protocol === 'javascript:';
      const hasCode = [...read.querySelectorAll('section *')].some(({ attributes }) =>
        [...attributes].some(
          ({ name, value }) =>
            /^(?:on|data-|id$|name$)/.test(name) || (/^(?:href|src|poster)$/.test(name) && isScript(value)),
        ),
      );
      const after = read.getElementById('after');
      const isFollowed = after?.innerHTML === 'after' && after.parentElement === read.body;
      return hasCode || read.querySelector(active) !== null || !isFollowed;
    });
  }, all);

/** Descriptions of random pieces, the same in each run. */
function mixtures(count: number): string[] {
  const pieces = [
    `<|>|/|"|'|=| |\n|\0|!|-|--|?|&|;|]]>|<![CDATA[|<!--|-->`,
    '<p |<b>|</b>|<a href=|javascript:x()|<img src=x| onerror=x()| title=|<svg|<math>',
    '</svg>|<style>|</style>|<script>|</script>|<iframe src=|</iframe>|<noscript>|<table>',
    '</noscript>|<textarea|</textarea>|<td>|</div>|<div style=|color:red|&quot;|<br|x',
  ].flatMap((line) => line.split('|'));
  let state = 1;
  const next = (below: number) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
  return Array.from({ length: count }, () =>
    Array.from({ length: 3 + next(12) }, () => pieces[next(pieces.length)]).join(''),
  );
}
