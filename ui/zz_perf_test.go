package ui
import ("testing";"time";"fmt")
func TestPerfDraft(t *testing.T){
 rs:=Rowset{Key:"rows",Path:"/draft/t",Label:"T"}
 for i:=0;i<6;i++{rs.Columns=append(rs.Columns,Field{Name:fmt.Sprintf("c%d",i),Type:TypeText})}
 order:=""
 var recs []Record
 for i:=0;i<2000;i++{order=OrderBetween(order,"");recs=append(recs,Record{fmt.Sprintf("r%d",i+1),order,rs.BlankRow()})}
 fmt.Println("order len",len(order))
 start:=time.Now()
 root:=&Column{Key:"main",Children:Nodes{&Table{rs}}}
 d:=BlankDraft(root,Map(Pair{"t",Rows(recs...)}))
 fmt.Println("blank",time.Since(start))
 s,_,err:=Apply(NewState("x"),&Frame{Seq:1,Ops:Ops{&Open{Surface:"a",Root:Nodes{root},Draft:d}}},Limits{})
 if err!=nil{t.Fatal(err)}
 var ls []Leaf
 for _,r:=range recs{for _,c:=range rs.Columns{ls=append(ls,Leaf{rs.CellPath(r.ID,c.Name),String("x")})}}
 start=time.Now()
 _,_,err=Apply(s,&Frame{Seq:2,Ops:Ops{&Draft{Surface:"a",Values:ls}}},Limits{})
 fmt.Println("draft",time.Since(start),err)
}
