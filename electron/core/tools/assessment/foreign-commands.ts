/**
 * The four sentences with which poisoned definitions usually begin, in eighteen languages besides English: forget your
 * instructions, tell the user nothing, use this before any other tool, and send the conversation. Matches text in lower case
 * without accents. Every gap is bounded, because the server chooses the text.
 */

/** Per language: the parts of the sentence in order. A part starts a word, except in languages without spaces. */
type Sentence = [says: string, languages: string[][]];

const sentences: Sentence[] = [
  [
    'tells the agent to forget its instructions',
    [
      ['ignorier|vergiss|vergesst|missacht', 'anweisung|instruktion|vorgabe'],
      ['negeer|vergeet', 'instructie|aanwijzing'],
      ['ignorera|glom|bortse', 'instruktion|anvisning'],
      ['ignore[sz]? (?:toute|le|te|vo|ce)|oublie', 'instruction|consigne|directive'],
      ['ignor|olvid|descart', 'instruccion|indicacion'],
      ['ignor|esquec|desconsider', 'instruco|orientaco'],
      ['ignor|dimentic', 'istruzion'],
      ['ignor|uita', 'instructiun'],
      ['ignoruj|zignoruj|zapomnij', 'instrukcj|polecen'],
      ['игнориру|проигнориру|забуд', 'инструкц|указани'],
      ['talimat|yonerge', 'yok say|goz ardi|unut|gormezden'],
      ['abaikan|lupakan', 'instruksi|perintah|petunjuk'],
      ['bo qua|phot lo', 'huong dan|chi dan|chi thi'],
      ['تجاهل|انس', 'تعليمات|التعليمات|الأوامر'],
      ['निर्देश', 'अनदेखा|नज़रअंदाज|भूल'],
      ['忽略|无视|無視|忘记|忘記', '指令|指示|说明|說明|提示'],
      ['指示|命令', '無視|忘れ'],
      ['지시|명령|지침', '무시|잊'],
    ],
  ],
  [
    'tells the agent to hide something from the user',
    [
      ['(?:sage?|erzahle?|verrate?|informiere|erwahne)\\b', 'nutzer|benutzer|anwender', 'nicht|niemals'],
      ['(?:sage?|erzahle?|verrate?|informiere|erwahne)\\b', 'nicht|niemals', 'nutzer|benutzer|anwender'],
      ['vertel\\b|zeg\\b', 'gebruiker', 'niet|nooit'],
      ['vertel\\b|zeg\\b', 'niet|nooit', 'gebruiker'],
      ['beratta|informera|sag|namn', 'inte|aldrig', 'anvandare'],
      ['ne', '(?:dis|dites|dire|informe[rz]?|parle[rz]?|mentionne[rz]?)\\b', 'utilisateur'],
      ['no\\b', '(?:digas?|informes?|menciones?|avises?|cuentes?)\\b', 'usuari'],
      ['nao\\b', '(?:diga|informe|mencione|avise|conte)\\b', 'usuari|utilizador'],
      ['non\\b', '(?:dire|dica|informare|menzionare|avvisare)\\b', 'utente'],
      ['nu\\b', '(?:spune|informa|mentiona)\\b', 'utilizator'],
      ['nie\\b', 'mow|informuj|wspomina|powiadamia', 'uzytkownik'],
      ['не', 'говори|сообщаи|информируи|упоминаи|рассказываи', 'пользовател'],
      ['kullanici', 'soyleme|bildirme|bahsetme|haber verme'],
      ['jangan', 'beri|katakan|memberi|sebut|informasi', 'pengguna'],
      ['dung|khong', 'noi|thong bao|tiet lo|cho nguoi dung biet', 'nguoi dung|biet'],
      ['لا', 'تخبر|تقل|تبلغ', 'المستخدم|للمستخدم'],
      ['उपयोगकर्ता|यूज़र', 'न|मत', 'बताए|बताओ|बताना'],
      ['不要|请勿|請勿|切勿|不得', '告诉|告訴|告知|通知|透露', '用户|用戶|使用者'],
      ['ユーザー|利用者', '言わない|教えない|知らせない|伝えない|話さない'],
      ['사용자', '말하지|알리지|언급하지|알려주지'],
    ],
  ],
  [
    'interferes with other tools',
    [
      ['bevor\\b|vor\\b', 'ander|jede|alle|irgend', 'werkzeug|tool'],
      ['voordat', 'ander|elk|alle', 'tool|gereedschap|hulpmiddel'],
      ['innan|fore', 'andra|annat|varje|alla', 'verktyg'],
      ['avant', 'tout|autre|chaque|n.importe', 'outil'],
      ['antes', 'cualquier|otra|toda|cada', 'herramienta'],
      ['antes', 'qualquer|outra|toda|cada', 'ferramenta'],
      ['prima', 'qualsiasi|altr|ogni', 'strument'],
      ['inainte', 'oric|alt|fiecar', 'instrument|unealt|unelte'],
      ['przed|zanim', 'inn|kazd|jakiegokolwiek|dowoln', 'narzedzi'],
      ['(?:перед|прежде)(?!\\p{L})', 'друг|люб|кажд', 'инструмент'],
      ['diger|herhangi|her|tum', 'arac', 'once'],
      ['sebelum', 'alat|tool', 'lain|apa pun|apapun'],
      ['truoc', 'cong cu', 'khac|nao'],
      ['قبل', 'أي|كل', 'أداة|اداة'],
      ['किसी|अन्य|हर', 'टूल|उपकरण', 'पहले'],
      ['任何|其他|其它|所有', '工具', '之前|以前|前先|前，'],
      ['他の|すべての|どの', 'ツール', '(?<!名)前に'],
      ['다른|모든|어떤', '도구', '전에'],
    ],
  ],
  [
    'asks for the conversation',
    [
      [
        'send|schick|ubermitt|fug|ubergib',
        'gesamte|ganze|vollstandige|komplette',
        'gesprach|unterhaltung|konversation|chatverlauf',
      ],
      ['stuur|verzend|voeg', 'hele|volledige', 'gesprek|conversatie|chatgeschiedenis'],
      ['skicka|bifoga', 'hela', 'konversation|samtal|chatt'],
      ['envo|transmet|inclu|ajout', 'toute|ensemble|integralite|historique', 'conversation'],
      ['envi|incluy|adjunt|pas', 'toda|entera|historial', 'conversacion'],
      ['envi|inclu|anex|pass', 'toda|inteira|historico', 'conversa'],
      ['invi|inclu|allega|pass', 'intera|tutta|cronologia', 'conversazione'],
      ['trimite|includ|ataseaz', 'intreaga|toata|istoric', 'conversati'],
      ['wyslij|dolacz|przeslij|przekaz', 'cala|calej|pelna|pelnej|histori', 'rozmow|konwersacj'],
      ['отправ|включ|передай|перешли|приложи', 'всю|весь|полн|истори', 'переписк|разговор|бесед|диалог|чат'],
      ['tum|butun|tam', 'konusma|sohbet', 'gonder|ekle|ilet'],
      ['kirim|sertakan|lampirkan', 'seluruh', 'percakapan|obrolan'],
      ['gui|dinh kem', 'toan bo', 'cuoc tro chuyen|hoi thoai'],
      ['أرسل|ارسل|أرفق|ضمن', 'كامل', 'المحادثة|الحوار'],
      ['पूरी|संपूर्ण|पूरा', 'बातचीत|वार्तालाप', 'भेज|शामिल'],
      ['发送|發送|附上|传递|傳遞', '整个|整個|完整', '对话|對話|聊天|会话'],
      ['会話|チャット', '全体|すべて|全て|履歴', '送信|送って|送る|含め'],
      ['전체', '대화|채팅', '보내|전송|포함'],
    ],
  ],
];

const spaceless = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/;
const isSpaceless = ([part = '']: readonly string[]) => spaceless.test(part);

/** The languages with spaces first. Their words begin after a character that is no letter. */
const patterns = sentences.flatMap(([says, languages]): [string, RegExp][] => {
  const joined = (parts: readonly string[], between: string) => parts.map((part) => `(?:${part})`).join(between);
  const spaced = languages
    .filter((parts) => !isSpaceless(parts))
    .map((parts) => joined(parts, '[^.\\n]{0,30}?(?<!\\p{L})'));
  const others = languages.filter(isSpaceless).map((parts) => joined(parts, '[^.\\n。]{0,10}?'));
  return [
    [says, new RegExp(`(?<!\\p{L})(?:${spaced.join('|')})`, 'u')],
    [says, new RegExp(others.join('|'), 'u')],
  ];
});

/** The commands in `text`, which is in lower case without accents, each with the words that it consists of. */
export function foreignCommands(text: string): { says: string; words: string }[] {
  return patterns.flatMap(([says, pattern]) => {
    const words = pattern.exec(text)?.[0];
    return words === undefined ? [] : [{ says, words }];
  });
}
