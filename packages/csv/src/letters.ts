import type { SingleByteEncoding } from './encodings.ts';

/** The letters beyond ASCII that one language writes, both cases. */
const letters = {
  french: 'àâæçéèêëîïôœùûüÿÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸ',
  german: 'äöüßÄÖÜéè',
  spanish: 'áéíñóúüÁÉÍÑÓÚÜçà',
  portuguese: 'áâãàçéêíóôõúÁÂÃÀÇÉÊÍÓÔÕÚüÜ',
  italian: 'àèéìòùÀÈÉÌÒÙ',
  nordic: 'åäöæøÅÄÖÆØéü',
  dutch: 'éëèïöüáóçê',
  icelandic: 'áðéíóúýþæöÁÐÉÍÓÚÝÞÆÖ',
  polish: 'ąćęłńóśźżĄĆĘŁŃÓŚŹŻ',
  czech: 'áčďéěíňóřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽ',
  slovak: 'áäčďéíĺľňóôŕšťúýžÁÄČĎÉÍĹĽŇÓÔŔŠŤÚÝŽ',
  hungarian: 'áéíóöőúüűÁÉÍÓÖŐÚÜŰ',
  romanian: 'ăâîșțşţĂÂÎȘȚŞŢ',
  southSlavic: 'čćđšžČĆĐŠŽ',
  turkish: 'çğıöşüâîûÇĞİÖŞÜ',
  baltic: 'āčēģīķļņšūžąęėįųõäöüĀČĒĢĪĶĻŅŠŪŽĄĘĖĮŲÕÄÖÜ',
  russian: 'абвгдежзийклмнопрстуфхцчшщъыьэюяёАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЁ',
  ukrainian: 'абвгдежзийклмнопрстуфхцчшщьюяґєіїАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЬЮЯҐЄІЇ',
  serbian: 'абвгдђежзијклљмнњопрстћуфхцчџшАБВГДЂЕЖЗИЈКЛЉМНЊОПРСТЋУФХЦЧЏШ',
  greek: 'αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΆΈΉΊΌΎΏ',
  hebrew: 'אבגדהוזחטיכלמנסעפצקרשתםןףץך',
  arabic: 'ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءآأؤإئپچژگ',
  thai: 'กขคฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮะัาำิีึืุูเแโใไๅ็่้๊๋์ํฯๆ',
} as const;

export type Language = keyof typeof letters;

export const lettersOf = new Map<Language, ReadonlySet<string>>(
  Object.entries(letters).map(([language, text]) => [language as Language, new Set(text)]),
);

/** The letters that make up half of a text, where alphabets of the same form must be told apart. */
export const frequentLetters: Partial<Record<Language, string>> = {
  russian: 'оеаинтсрвлкОЕАИНТСРВЛК',
  ukrainian: 'оаинітверслОАИНІТВЕРСЛ',
  serbian: 'аоиенрстјкАОИЕНРСТЈК',
  hebrew: 'יוהלארמתבנש',
};

const western: Language[] = [
  'french',
  'german',
  'spanish',
  'portuguese',
  'italian',
  'nordic',
  'dutch',
  'icelandic',
];
const central: Language[] = ['polish', 'czech', 'slovak', 'hungarian', 'romanian', 'southSlavic', 'german'];
const cyrillic: Language[] = ['russian', 'ukrainian', 'serbian'];

/**
 * The encodings that are judged by their text, with the languages written in them and a head start: how much likelier
 * a supplier's file is in this one than in one whose reading looks as good.
 */
export const judgedEncodings: readonly {
  encoding: SingleByteEncoding;
  languages: readonly Language[];
  headStart: number;
}[] = [
  { encoding: 'windows-1252', languages: western, headStart: 0.1 },
  { encoding: 'windows-1250', languages: central, headStart: 0.05 },
  { encoding: 'windows-1251', languages: cyrillic, headStart: 0.05 },
  { encoding: 'windows-1253', languages: ['greek'], headStart: 0.03 },
  { encoding: 'windows-1254', languages: ['turkish'], headStart: 0.04 },
  { encoding: 'windows-1255', languages: ['hebrew'], headStart: 0.03 },
  { encoding: 'windows-1256', languages: ['arabic'], headStart: 0.03 },
  { encoding: 'windows-1257', languages: ['baltic'], headStart: 0.02 },
  { encoding: 'windows-874', languages: ['thai'], headStart: 0.03 },
  { encoding: 'iso-8859-2', languages: central, headStart: 0 },
  { encoding: 'iso-8859-5', languages: cyrillic, headStart: 0 },
  { encoding: 'iso-8859-7', languages: ['greek'], headStart: 0 },
  { encoding: 'iso-8859-15', languages: western, headStart: 0 },
  { encoding: 'macintosh', languages: western, headStart: 0.02 },
  { encoding: 'x-mac-cyrillic', languages: cyrillic, headStart: 0 },
  { encoding: 'koi8-r', languages: ['russian'], headStart: 0.01 },
  { encoding: 'koi8-u', languages: ['ukrainian'], headStart: 0 },
  { encoding: 'ibm866', languages: ['russian'], headStart: 0 },
  { encoding: 'cp850', languages: western, headStart: 0.02 },
  { encoding: 'cp437', languages: western, headStart: 0 },
  { encoding: 'cp852', languages: central, headStart: 0 },
];

/** Characters that are frequent in product texts, by the encoding that they tell for. */
export const frequentIdeographs = {
  gb18030: new Set(
    '的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处理世车价格名称描述库存商颜色尺寸红黄蓝绿白黑灰材料木铁布纸包装盒袋套只个件码大号小号款号类型规客厅桌椅灯床柜架瓶杯碗盘毯枕花香装饰',
  ),
  big5: new Set(
    '的一是在不了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說產種面而方後多定行學法所民得經十三之進著等部度家電力裡如水化高自二理起小物現實加量都兩體制機當使點從業本去把性好應開它合還因由其些然前外天政四日那社義事平形相全表間樣與關各重新線內數正心反你明看原又麼利比或但質氣第向道命此變條只沒結解問意建月公無系軍很情者最立代想已通並提直題黨程展五果料象員革位入常文總次品式活設及管特件長求老頭基資邊流路級少圖山統接知較將組見計別她手角期根論運農指幾九區強放決西被做必戰先回則任取據處世車價格名稱描述庫存商顏色尺寸紅黃藍綠白黑灰材料木鐵布紙包裝盒袋套只個件碼大號小號款類型規客廳桌椅燈床櫃架瓶杯碗盤毯枕花香飾香港台灣茶',
  ),
  japanese: new Set(
    '日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小七成期公野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参売利組知案道信策集在件団別物側任引使求所次水半品昨論計死官増係感特情投示変打男基私各始島直両朝革価式確村提運終挙果西勢減台広容必応演電歳住争談能無再位置企真流格有商番価格名称色寸法赤黄青緑白黒木製布紙箱袋入個枚台型番号机椅子棚花瓶皿毛枕香飾品',
  ),
} as const;
