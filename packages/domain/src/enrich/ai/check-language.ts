import { foldText, wordsOf } from './fold-text.ts';
import { isFrequent, type Language } from './frequent-words.ts';
import { foreignWords, languageOf, lettersOfOthers, mainScript, type Script, scriptsOf } from './language.ts';
import { mainScripts, type RowFacts } from './row-facts.ts';
import { isRowWord } from './same-words.ts';
import { unitNamed } from './units.ts';

const wordCharsMin = 4;

/** The part of a text that is not in the row's language; null: all of it is, or nothing tells. */
export function languageProblem(text: string, row: RowFacts): string | null {
  const script = mainScript(text);
  if (script !== null && !mayFollow(script, row)) return script;
  const strange = strangeLetters(text, row);
  if (strange !== null) return strange;
  if (script !== 'latin') return null;
  if (row.languages.length === 0) {
    const other = wordsOfOther(text, row);
    if (other !== null) return other;
  }
  const own = languageOf(newWords(text, row));
  if (own !== null && row.languages.length > 0 && !row.languages.includes(own)) return own;
  const language = row.language ?? own;
  if (language === null) return null;
  const [foreign] = foreignWords(wordsOf(foldText(text)), language, row.words);
  return foreign ?? foreignLetters(text, language, row);
}

/** Whether texts of a row may have a script as their main one. */
function mayFollow(script: Script, row: RowFacts): boolean {
  if (row.scripts.size === 0) return true;
  if (!row.scripts.has('han')) return row.scripts.has(script);
  return row.scripts.size > 1 && row.scripts.has(script) && script !== 'han'
    ? true
    : scriptsAfterHan(row.written).some((one) => one === script);
}

const unknownMin = 3;
const knownShareMin = 1 / 3;

/**
 * The first word that the row does not have, if it has few of a text's; else null. Where no frequent word tells the
 * row's language, a text in another one shares only names with it: at most 29 % in the labelled cases, and good texts
 * have at least 33 % of their words from the row.
 */
function wordsOfOther(text: string, row: RowFacts): string | null {
  const words = new Set(wordsOf(foldText(text)));
  const telling = [...words].filter(
    (word) => word.length >= wordCharsMin && !/\d/.test(word) && !isFrequent(word),
  );
  const unknown = telling.filter((word) => !isRowWord(word, row));
  const isOther =
    unknown.length >= unknownMin && telling.length - unknown.length < telling.length * knownShareMin;
  return isOther ? (unknown[0] ?? null) : null;
}

/** A text without the row's words: a title may be in another language than its description. */
const newWords = (text: string, row: RowFacts): string =>
  text
    .split(/\s+/)
    .filter((word) => !wordsOf(foldText(word)).every((one) => row.words.has(one)))
    .join(' ');

/** A word with letters that the language does not have, if the row does not have it. */
function foreignLetters(text: string, language: Language, row: RowFacts): string | null {
  const letters = new RegExp(`[${lettersOfOthers(language)}]`);
  const words =
    text
      .normalize('NFC')
      .toLowerCase()
      .match(/[\p{L}]+/gu) ?? [];
  return words.find((word) => letters.test(word) && !row.words.has(foldText(word))) ?? null;
}

/**
 * The first word that the row does not have, with letters of a script that is none of the text's main ones, or of one
 * that the row's texts may not have.
 */
function strangeLetters(text: string, row: RowFacts): string | null {
  const scripts = new Set([...mainScripts(text)].filter((script) => mayFollow(script, row)));
  for (const word of text.match(/\p{Script=Latin}+|(?:(?!\p{Script=Latin})[\p{L}\p{M}])+/gu) ?? []) {
    const folded = foldText(word);
    if (row.text.includes(folded) || unitNamed(folded) !== null || /^[µμΩ]$/u.test(word)) continue;
    const script = [...scriptsOf(word).keys()].find(
      (one) => !scripts.has(one) && !(one === 'han' && scripts.has('kana')),
    );
    if (script === undefined) continue;
    const isWord = script !== 'latin' || (folded.length >= wordCharsMin && /^\p{Ll}/u.test(word));
    if (isWord) return word;
  }
  return null;
}

/** Characters that only simplified Chinese has. */
const simplified =
  /[这为们个说对发经现实时间还关长门开见车东买卖书业风飞马鸟鱼龙颜红蓝绿银铁锅钢铝铜锁针线纸纯维细织绸级组给结设计语调请读让记热电动华单厂历压变听员响园圆场块坚垫处备复头夹妇婴宽导层岁币师带帮广库应张强态户扩护报择挂损换显标样档检欢汉汤测浓润满滤疗监盖盘码确离种稳笔签简类篮紧质购贵费货赠轮软转轻载边达运适选钟钻锋镜闪闭问阅阳阴难雾页顶项顺预领题饭饮饰馆验骑鲜]/u;

/** Characters that only Japanese has. */
const japanese =
  /[黒沢辺図絵売読竜広鉄転駅焼緑桜塩検県労営単巻気楽薬帯応栄総匂畑峠枠込働丼渋満歩毎実対発変顔価団囲圧両児剣剤弾戦択拡様権歓歯歳残浄滝畳稲穂粋経継続繊縄缶聴艶芸茎蛍覚観触証豊軽遅酔醤銭録錬関険雑験髪鶏麺]/u;

/**
 * The scripts in which a text may go on whose letters are Han characters only: a Japanese title often has no kana, and
 * its sentences have some.
 */
function scriptsAfterHan(text: string): readonly ('han' | 'kana')[] {
  if (japanese.test(text)) return ['kana'];
  return simplified.test(text) ? ['han'] : ['han', 'kana'];
}
