import type { SingleByteEncoding } from './encodings.ts';

const letters = {
  french: 'àâæçéèêëîïôœùûüÿÀÂÆÇÉÈÊËÎÏÔŒÙÛÜŸ',
  german: 'äöüßÄÖÜéè',
  spanish: 'áéíñóúüÁÉÍÑÓÚÜçà',
  catalan: 'àçèéíïòóúüÀÇÈÉÍÏÒÓÚÜ·',
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

export const lettersByLanguage = new Map<Language, ReadonlySet<string>>(
  Object.entries(letters).map(([language, text]) => [language as Language, new Set(text)]),
);

/** The most frequent letters of a language, about half of a text. They distinguish languages with the same alphabet. */
export const frequentLetters: Partial<Record<Language, string>> = {
  russian: 'оеаинтсрвлкОЕАИНТСРВЛК',
  greek: 'αοιετνσηρκπςΑΟΙΕΤΝΣΗΡΚΠ',
  ukrainian: 'оаинітверслОАИНІТВЕРСЛ',
  serbian: 'аоиенрстјкАОИЕНРСТЈК',
  hebrew: 'יוהלארמתבנש',
  // The byte for õ may also mean ő. A text with ő is Hungarian, and also has á and é, which Estonian (`baltic`) lacks.
  portuguese: 'õÕ',
  baltic: 'õÕ',
};

const western = [
  ...(['french', 'german', 'spanish', 'catalan', 'portuguese', 'italian'] as const),
  ...(['nordic', 'dutch', 'icelandic'] as const),
];
const central: Language[] = ['polish', 'czech', 'slovak', 'hungarian', 'romanian', 'southSlavic', 'german'];
const cyrillic: Language[] = ['russian', 'ukrainian', 'serbian'];

/** `headStart`: an addition to the score of an encoding that is more frequent in suppliers' files than others. */
export const detectableEncodings: readonly {
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
  { encoding: 'cp857', languages: ['turkish'], headStart: 0 },
];

const japaneseCharacters = new Set(
  '日一国会人年大十二本中長出三同時政事自行社見月分議後前民生連五発間対上部東者党地合市業内相方四定今回新場金員九入選立開手米力学問高代明実円関決子動京全目表戦経通外最言氏現理調体化田当八六約主題下首意法不来作性的要用制治度務強気小七成期公野協取都和統以機平総加山思家話世受区領多県続進正安設保改数記院女初北午指権心界支第産結百派点教報済書府活原先共得解名交資予川向際査勝面委告軍文反元重近千考判認画海参売利組知案道信策集在件団別物側任引使求所次水半品昨論計死官増係感特情投示変打男基私各始島直両朝革価式確村提運終挙果西勢減台広容必応演電歳住争談能無再位置企真流格有商番価格名称色寸法赤黄青緑白黒木製布紙箱袋入個枚台型番号机椅子棚花瓶皿毛枕香飾品',
);

/** Frequent characters in product texts. */
export const frequentCharacters = {
  gb18030: new Set(
    '的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后多定行学法所民得经十三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没结解问意建月公无系军很情者最立代想已通并提直题党程展五果料象员革位入常文总次品式活设及管特件长求老头基资边流路级少图山统接知较将组见计别她手角期根论运农指几九区强放决西被干做必战先回则任取据处世车价格名称描述库存商颜色尺寸红黄蓝绿白黑灰材木铁布纸包装盒袋套码号款类型规客厅桌椅灯床柜架瓶杯碗盘毯枕花香饰茶壶锅盖罐桶缸具厨卫浴洗净刷巾帽鞋衣裤裙衫袜带链戒耳环项珠宝脑充池屏保护膜支音响键单货牌厂供零售批折扣优惠促销男女童婴儿玩汽配轴承螺栓丝钉阀泵插座械备油漆胶泥板钢铝铜塑玻璃陶瓷竹藤皮棉麻绸羊毛绒羽食米酒糖饼肉鱼蛋奶咖啡药健维素美容肤霜乳液口眼眉笔粉底防晒精华沐露牙膏克升毫厘斤箱片张双块币元吨',
  ),
  big5: new Set(
    '的一是在不了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說產種面而方後多定行學法所民得經十三之進著等部度家電力裡如水化高自二理起小物現實加量都兩體制機當使點從業本去把性好應開它合還因由其些然前外天政四日那社義事平形相全表間樣與關各重新線內數正心反你明看原又麼利比或但質氣第向道命此變條只沒結解問意建月公無系軍很情者最立代想已通並提直題黨程展五果料象員革位入常文總次品式活設及管特件長求老頭基資邊流路級少圖山統接知較將組見計別她手角期根論運農指幾九區強放決西被做必戰先回則任取據處世車價格名稱描述庫存商顏色尺寸紅黃藍綠白黑灰材料木鐵布紙包裝盒袋套只個件碼大號小號款類型規客廳桌椅燈床櫃架瓶杯碗盤毯枕花香飾香港台灣茶',
  ),
  'euc-kr': new Set(
    '이다는의에을고가하지로사기한대어를도자리나스인은해서라시아제그있정일수보전부장여주들관면으트성만구비우상원공마게소과조안적경오동용국문신선요것계년화거내진유바생학연드와등모레회위세방개않무중산발실미후재물영금단러반치배카코크타터통투파판팔패페포표품프플피할합행향현형호확환활효명격량브랜색즈블랙루박테램컵접티셔츠료송림샴푸션민캡슐액겔폼팩밤쿠틴업체분류옵디컬핑옐린퍼버골베네',
  ),
  shift_jis: japaneseCharacters,
  'euc-jp': japaneseCharacters,
} as const;
