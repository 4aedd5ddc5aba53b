/**
 * English glosses of common Chinese words in tool descriptions. Tools and queries in Chinese are indexed with them, so that
 * English queries find Chinese tools and vice versa. Written by hand: general vocabulary of software and daily life.
 */

/** `Chinese=English`, separated by white space; `_` separates the words of a gloss. */
const entries = `
获取=get 取得=get 得到=get 读取=read 查询=query 查找=find 搜索=search 检索=retrieve 列出=list 显示=show 展示=show 查看=view
返回=return 创建=create 新建=create 生成=generate 添加=add 增加=add 插入=insert 修改=modify 更新=update 编辑=edit 更改=change
设置=set 删除=delete 移除=remove 清除=clear 清空=clear 保存=save 写入=write 打开=open 关闭=close 启动=start 停止=stop 暂停=pause
执行=execute 运行=run 调用=call 发送=send 接收=receive 上传=upload 下载=download 导入=import 导出=export 复制=copy 移动=move
重命名=rename 替换=replace 合并=merge 拆分=split 分割=split 转换=convert 翻译=translate 分析=analyze 计算=calculate 统计=statistics
比较=compare 对比=compare 检查=check 验证=verify 校验=validate 测试=test 排序=sort 筛选=filter 过滤=filter 选择=select 提取=extract
解析=parse 格式化=format 渲染=render 绘制=draw 绘图=draw 预览=preview 播放=play 录制=record 推荐=recommend 预测=predict 预报=forecast
订阅=subscribe 取消=cancel 提交=submit 确认=confirm 登录=login 注册=register 授权=authorize 认证=authentication 分享=share 发布=publish
评论=comment 回复=reply 点赞=like 收藏=favorite 关注=follow 通知=notification 提醒=reminder 安装=install 卸载=uninstall 配置=configuration
连接=connect 断开=disconnect 同步=sync 备份=backup 恢复=restore 压缩=compress 解压=extract 加密=encrypt 解密=decrypt 编码=encode
解码=decode 识别=recognize 检测=detect 监控=monitor 抓取=fetch_scrape 爬取=crawl 浏览=browse 点击=click 输入=input 输出=output
截图=screenshot 打印=print 扫描=scan 定位=locate 导航=navigation 预订=book 预约=appointment 购买=buy 支付=pay 付款=payment
退款=refund 充值=recharge 转账=transfer 管理=manage 规划=plan 安排=schedule 总结=summarize 摘要=summary 概述=overview 回答=answer
提问=ask 问答=question_answer 对话=conversation 聊天=chat 学习=learn 训练=train 模拟=simulate 随机=random 抽取=draw 估算=estimate
信息=information 数据=data 数据库=database 数据集=dataset 文件=file 文件夹=folder 目录=directory 路径=path 文档=document 文本=text
文字=text 内容=content 标题=title 名称=name 描述=description 类型=type 类别=category 分类=category 标签=tag 列表=list 详情=detail
详细=detail 结果=result 参数=parameter 属性=property 字段=field 格式=format 模板=template 样式=style 主题=theme 颜色=color 字体=font
大小=size 尺寸=size 宽度=width 高度=height 位置=position_location 坐标=coordinate 地址=address 地图=map 地点=place 城市=city
省份=province 国家=country 地区=region 区域=area 街道=street 路线=route 交通=traffic 距离=distance 附近=nearby 周边=nearby 经度=longitude
纬度=latitude 天气=weather 气温=temperature 温度=temperature 湿度=humidity 降雨=rain 下雨=rain 降水=precipitation 风速=wind 空气质量=air_quality
新闻=news 资讯=news 头条=headline 热搜=trending 热榜=trending 热门=popular_trending 趋势=trend 话题=topic 排行榜=ranking 排行=ranking 榜单=ranking
排名=rank 文章=article 博客=blog 论坛=forum 社区=community 社交=social 媒体=media 视频=video 音频=audio 音乐=music 歌曲=song
歌词=lyrics 歌手=singer 专辑=album 电影=movie 影视=movie 票房=box_office 电视剧=tv_series 动漫=anime 漫画=comic 游戏=game 玩家=player 卡牌=card 卡片=card
图片=image 图像=image 照片=photo 图标=icon 图表=chart 表格=table 图形=graphic 柱状图=bar_chart 折线图=line_chart 饼图=pie_chart
流程图=flowchart 思维导图=mind_map 幻灯片=slide 演示文稿=presentation 演示=presentation 占位符=placeholder 形状=shape 页面=page 网页=web_page
网站=website 网络=network 互联网=internet 链接=link 网址=url 浏览器=browser 搜索引擎=search_engine 关键词=keyword 关键字=keyword
邮件=email 邮箱=email 消息=message 短信=sms 电话=phone 手机=mobile_phone 联系人=contact 用户=user 用户名=username 密码=password
账号=account 账户=account 个人=personal 成员=member 团队=team 组织=organization 公司=company 企业=company 机构=institution 员工=employee
客户=customer 订单=order 商品=product 产品=product 价格=price 金额=amount 费用=cost 库存=inventory 购物=shopping 店铺=store 商店=store
优惠=discount 优惠券=coupon 促销=promotion 快递=express_delivery 物流=logistics 配送=delivery 外卖=takeout 餐厅=restaurant 美食=food
食物=food 菜谱=recipe 食谱=recipe 菜品=dish 菜单=menu 食材=ingredient 烹饪=cook 做饭=cook 早餐=breakfast 午餐=lunch 晚餐=dinner 酒店=hotel 旅游=travel
旅行=travel 景点=attraction 门票=ticket 车票=train_ticket 火车=train 高铁=train 列车=train 车次=train 车站=station 站点=station 机票=flight_ticket
航班=flight 机场=airport 地铁=subway 公交=bus 汽车=car 驾车=driving 步行=walking 骑行=cycling 余票=remaining_ticket 中转=transfer
股票=stock 股价=stock_price 股市=stock_market 基金=fund 债券=bond 期货=futures 外汇=forex 汇率=exchange_rate 货币=currency 黄金=gold
加密货币=cryptocurrency 比特币=bitcoin 财经=finance 金融=finance 财务=financial 财报=financial_report 投资=investment 行情=quote_market
交易=trade 市场=market 经济=economy 收益=return 利润=profit 收入=income 税=tax 银行=bank 保险=insurance 发票=invoice 合同=contract
时间=time 日期=date 日历=calendar 农历=lunar_calendar 节日=holiday 假期=holiday 今天=today 明天=tomorrow 昨天=yesterday 当前=current
最新=latest 实时=real_time 历史=history 每日=daily 每周=weekly 年份=year 小时=hour 分钟=minute 时区=timezone 日程=schedule 会议=meeting
任务=task 待办=todo 项目=project 计划=plan 进度=progress 状态=status 笔记=note 记忆=memory 知识=knowledge 知识库=knowledge_base
知识图谱=knowledge_graph 百科=encyclopedia 词典=dictionary 字典=dictionary 语言=language 中文=chinese 英文=english 汉字=chinese_character
成语=idiom 诗词=poetry 古诗=poem 小说=novel 图书=book 书籍=book 阅读=reading 读书=reading 作者=author 论文=paper 学术=academic 研究=research
科学=science 科技=technology 技术=technology 教育=education 学校=school 大学=university 课程=course 考试=exam 学生=student 老师=teacher
医院=hospital 医生=doctor 医疗=medical 健康=health 疾病=disease 药品=drug 药物=drug 症状=symptom 基因=gene 临床=clinical 运动=sport
体育=sports 足球=football 篮球=basketball 比赛=match 球队=team 代码=code 程序=program 编程=programming 开发=development 函数=function
接口=api_interface 服务=service 服务器=server 客户端=client 系统=system 应用=application 软件=software 工具=tool 插件=plugin 组件=component
框架=framework 示例=example 文档说明=documentation 更新日志=changelog 版本=version 仓库=repository 分支=branch 提交记录=commit 问题=issue
错误=error 异常=exception 日志=log 调试=debug 部署=deploy 容器=container 镜像=image 命令=command 终端=terminal 脚本=script 进程=process
线程=thread 内存=memory 磁盘=disk 硬盘=disk 处理器=cpu 性能=performance 安全=security 漏洞=vulnerability 权限=permission 防火墙=firewall
域名=domain 缓存=cache 队列=queue 索引=index 节点=node 模型=model 算法=algorithm 人工智能=artificial_intelligence 机器学习=machine_learning
大模型=language_model 提示词=prompt 向量=vector 语音=voice 语音合成=text_to_speech 语音识别=speech_recognition 人脸=face 二维码=qr_code
单词=word 句子=sentence 段落=paragraph 页码=page_number 行=row 列=column 单元格=cell 工作表=sheet 工作簿=workbook 公式=formula
数学=math 数字=number 单位=unit 求和=sum 平均=average 最大=maximum 最小=minimum 概率=probability 几何=geometry 方程=equation
命理=fortune_telling 八字=bazi_fortune 生辰=birth 星座=zodiac 运势=horoscope 占卜=divination 姓名=name 性别=gender 年龄=age 生日=birthday 出生=birth
公众号=wechat_account 微信=wechat 微博=weibo 知乎=zhihu 抖音=douyin_tiktok 豆瓣=douban 淘宝=taobao 京东=jd 哔哩哔哩=bilibili 百度=baidu 高德=amap
小红书=xiaohongshu 今日头条=toutiao 网易=netease 腾讯=tencent 阿里云=aliyun 支付宝=alipay 飞书=feishu_lark 钉钉=dingtalk 必应=bing 谷歌=google 苹果=apple
北京=beijing 上海=shanghai 广州=guangzhou 深圳=shenzhen 中国=china 美国=usa 日本=japan 香港=hong_kong 台湾=taiwan 韩国=korea 英国=uk
房产=real_estate 租房=rent 房价=house_price 招聘=recruitment 求职=job 简历=resume 工资=salary 职位=job 法律=law 政府=government 政策=policy
环境=environment 能源=energy 电力=electricity 农业=agriculture 工业=industry 军事=military 宠物=pet 植物=plant 动物=animal 家居=home
设备=device 传感器=sensor 灯光=light 摄像头=camera 相机=camera 数码=digital 硬件=hardware 机器人=robot 无人机=drone 卫星=satellite 火箭=rocket 太空=space
`;

const han = /\p{sc=Han}{2,}/gu;

let glosses: Map<string, string> | undefined;
let longest = 0;

/** The glosses of the Chinese words in the text, in order. Prefers the longest match. Empty if there are no such words. */
export function glossesOf(text: string): string {
  const found: string[] = [];
  for (const [run] of text.matchAll(han)) {
    glosses ??= build();
    for (let at = 0; at < run.length; ) {
      let length = Math.min(longest, run.length - at);
      while (length > 0 && !glosses.has(run.slice(at, at + length))) length--;
      if (length > 0) found.push(glosses.get(run.slice(at, at + length)) as string);
      at += Math.max(1, length);
    }
  }
  return found.join(' ');
}

function build(): Map<string, string> {
  const pairs = entries
    .trim()
    .split(/\s+/)
    .map((entry) => entry.split('=') as [string, string]);
  longest = pairs.reduce((most, [word]) => Math.max(most, word.length), 0);
  return new Map(pairs.map(([word, gloss]) => [word, gloss.replaceAll('_', ' ')]));
}
