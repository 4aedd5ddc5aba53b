/**
 * Synonyms for tool descriptions: general English from software and daily life, and the most common Chinese words in tools.
 * Written by hand, not taken from any data set. `Tuning.synonym` is the weight of a synonym.
 */
import { stemOf } from './words.ts';

/** Each line contains words with nearly the same meaning. */
const groups = `
add append attach put
alert notification notify reminder alarm notice
analyze analyse analysis inspect examine evaluate assess study 分析
api endpoint
answer reply respond response
app application software program
audio sound voice speech
author writer creator
authenticate authentication auth login signin logon
average mean
balance funds
begin start open launch
bill invoice receipt payment
book reserve booking reservation
boss manager supervisor
branch fork
bug issue ticket defect
build compile bundle
business company firm enterprise corporation organization organisation org
buy purchase order shop shopping
calculate compute calculation computation determine evaluate 计算
calendar schedule agenda appointment event meeting 日历 日程
cancel abort revoke terminate
car vehicle automobile auto
chart graph plot diagram visualize visualization 图表
chat conversation message dialog messaging
check verify validate validation verification confirm
city town place
class course entry lecture
clean clear purge
clip video footage
close end finish complete
code source program script
combine merge join concatenate
comment reply remark feedback review
compare comparison diff difference versus contrast
config configuration configure setting preference option
connect link join
contact person people
container docker
convert transform translate conversion change 转换
copy duplicate clone
cost price fee rate charge expense 价格
country nation
create make generate new add produce build compose construct 创建 生成
crypto cryptocurrency bitcoin token coin
currency money exchange forex
customer client buyer
data information dataset record 数据
database db sql table 数据库
date day time
delete remove erase drop discard trash destroy 删除
deploy release publish rollout
description summary abstract overview
device machine hardware
directory folder 文件夹 目录
directions route navigation path navigate 路线
disease illness condition disorder
doctor physician
document file doc 文档
download save
draw paint sketch drawing 绘制
drug medicine medication prescription pharmaceutical
edit modify update change alter revise amend 修改 更新
educate education learn teach school study
email mail inbox message 邮件
employee staff worker
employment job career vacancy occupation
encrypt cipher encode
entity node
entry item record row
equation formula expression
error exception failure fault crash
estimate predict forecast prediction projection
event happening concert
execute run invoke perform call 执行 运行
expense spending spend
explain describe clarify
export dump extract
extract parse scrape pull
favorite favourite bookmark star
fetch get retrieve obtain read download load pull 获取
fact observation note
field column attribute property
file document 文件
fill complete populate
film movie cinema
filter narrow refine
find search lookup query locate discover seek 搜索 查询 检索 查找
fix repair correct resolve mend
flight airline plane flights airfare
food meal dish recipe cuisine restaurant
form questionnaire survey
game play gaming
gene dna genome genetic
get fetch retrieve obtain show view read return 获取
give provide supply
grammar spelling proofread
group team
guide tutorial instruction manual howto
health medical wellness healthcare fitness
history log past record
hospital clinic
hotel accommodation lodging room stay
house home property apartment estate housing
hyperlink link url 链接
id identifier
illustrate illustration drawing art artwork
image picture photo photograph figure illustration 图片 图像
import load ingest
improve enhance optimize optimise optimization
incident outage
income salary earnings wage
insert add append
install setup
integrate integration connect
interest rate
invest investment investor portfolio stock
issue ticket problem task 问题
kill terminate stop end halt cancel
label tag category
language tongue
law legal legislation lawyer court
list enumerate all show browse display 列表 列出
loan mortgage credit
local nearby near
locate location position place address coordinate 位置 地址
map geography atlas cartography 地图
market trading
math mathematics arithmetic
memory knowledge
message notification text sms 消息
metadata info properties detail
monitor watch track observe
move rename relocate transfer
music song track playlist album 音乐
name title
network internet
news headline article 新闻
note memo notebook annotation 笔记
order purchase
organize arrange sort
package library module dependency
page webpage website
paper article publication research academic scholarly literature journal study 论文
password credential secret
pay payment transaction checkout
pdf document
performance speed metric
plan itinerary
podcast episode
post publish tweet share 发布
poster banner
presentation slide powerpoint ppt deck slideshow
product item goods merchandise 商品
professional expert
project repository
promote advertise advertising advertisement ad marketing
pull merge pr
quote citation saying
random chance
rank ranking leaderboard
read view open
recipe cook cooking
recommend suggest suggestion recommendation advise advice
record log
register signup enroll enrol
rent lease rental
repo repository git
report summary statement
request ask
reset restart
restaurant cafe dining
result outcome score
resume cv
review rating opinion
revise rewrite paraphrase rephrase
run execute launch start
scale resize
schedule plan timetable
scholar academic scholarly
science scientific research
scrape crawl spider
screenshot snapshot capture
script program
section chapter part
sell sale
send deliver submit dispatch transmit email post 发送
server host
share stock equity
ship shipment shipping delivery package parcel
site website web webpage
social media network
solve solution solver
sort order arrange
spreadsheet excel sheet workbook xlsx worksheet csv
start begin launch initiate
statistics statistic stats metric analytics
status state condition
stock equity ticker share 股票
stop halt end cancel pause
store save keep
store shop retailer
story tale fiction
student pupil learner
style format formatting
subtitle caption transcript
summarize summary summarise digest condense abstract 总结 摘要
symptom disease diagnosis
table grid
task todo assignment job 任务
tax taxation
teacher instructor tutor professor
team squad
temperature weather climate
terminal shell command console
test exam quiz assessment
text content string 文本 内容
ticket issue
time clock hour timezone 时间
tour trip travel journey vacation holiday tourism itinerary
train railway rail
transcribe transcript transcription
translate translation language 翻译
trend trending popular hot 热门 热榜
trip travel
update upgrade refresh edit modify
upload import
user account member profile people 用户
utility tool
value worth
video clip youtube 视频
view show display see
walk stroll hike
watch view
weather forecast temperature climate 天气
web internet online 网页
website site webpage 网站
weight mass
word vocabulary dictionary
write compose draft author create
zip compress archive
`;

/** Each line contains narrow words, then wider words that they also match. The wider words do not match the narrow ones. */
const wider = `
rain snow wind humidity storm sunny : weather forecast
earthquake flood hurricane : disaster
png jpg jpeg svg gif screenshot logo : image picture
mp3 wav : audio
mp4 youtube : video
xlsx xls csv : spreadsheet excel sheet
docx : word document
pptx slides : presentation
paragraph heading : document text
bitcoin ethereum btc eth : cryptocurrency crypto
dollar euro yen pound usd eur gbp jpy : currency exchange
dividend earnings nasdaq nyse : stock finance
stock investment loan budget bank banking : finance financial
train bus taxi uber : transport transportation
museum attraction sightseeing landmark : tourist travel place
cafe pub bar dinner lunch breakfast : restaurant food
pizza pasta vegetarian vegan : food restaurant recipe
calorie vitamin diet : nutrition food
football soccer basketball tennis baseball nba nfl fifa : sport sports team
actor director cinema netflix : movie film
singer band concert lyrics : music song
novel reading : book
flu fever cough headache : symptom health disease
cancer diabetes : disease medical health
physics chemistry biology : science
integral derivative algebra : math calculus
gift present clothes shoes dress : product shopping
laptop phone : product device
supermarket groceries : grocery shop
slack discord whatsapp telegram : message chat
tweet tweets : twitter post
gmail outlook : email
github gitlab bitbucket : repository git
postgres postgresql mysql sqlite mongodb : database sql
kubernetes k8s pod : cluster container
python javascript typescript java : code
house apartment : property estate
lawyer attorney lawsuit : legal law
hiring recruit interview : job candidate
essay paragraph blog : write text article
horoscope zodiac : astrology
sum subtract divide multiply plus minus : calculate math
add plus total : sum
mile kilometer inch celsius fahrenheit kilogram : unit convert
`;

let table: Map<string, readonly string[]> | undefined;

/** The stems of the synonyms, without the stem itself. The table is built on the first call. */
export function synonymsOf(stem: string): readonly string[] {
  table ??= build();
  return table.get(stem) ?? [];
}

function build(): Map<string, string[]> {
  const sets = new Map<string, Set<string>>();
  const add = (from: string, to: string) => {
    if (from === to) return;
    const known = sets.get(from);
    if (known) known.add(to);
    else sets.set(from, new Set([to]));
  };
  for (const line of linesOf(groups)) {
    const stems = stemsOf(line);
    for (const from of stems) for (const to of stems) add(from, to);
  }
  for (const line of linesOf(wider)) {
    const [narrow = '', wide = ''] = line.split(':');
    for (const from of stemsOf(narrow)) for (const to of stemsOf(wide)) add(from, to);
  }
  return new Map([...sets].map(([stem, others]) => [stem, [...others]]));
}

function linesOf(text: string): string[] {
  return text.trim().split('\n');
}

function stemsOf(line: string): string[] {
  return line.trim().split(/\s+/).map(stemOf);
}
