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
export function scriptsAfterHan(text: string): readonly ('han' | 'kana')[] {
  if (japanese.test(text)) return ['kana'];
  return simplified.test(text) ? ['han'] : ['han', 'kana'];
}
