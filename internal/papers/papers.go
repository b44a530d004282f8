// Package papers names the five papers whose methods Variscope implements. The command line takes
// their names from here; README.md and the user guide are compared with them by a test.
package papers

import "fmt"

// Paper is one of the papers.
type Paper struct {
	Number  int
	Name    string // how texts speak of it: "the ML4ML paper"
	Authors string
	Title   string
	Where   string // journal, conference or archive
	Year    int
}

// The papers, in the order of their numbers.
var (
	ML4ML = Paper{
		1, "the ML4ML paper", "Zukang Liao, Pengfei Zhang, Min Chen",
		"ML4ML: Automated Invariance Testing for Machine Learning Models", "IEEE AITest", 2022,
	}
	Background = Paper{
		2, "the background paper", "Zukang Liao, Min Chen",
		"Background Invariance Testing According to Semantic Proximity", "ICCV", 2025,
	}
	EI = Paper{
		3, "the EI paper", "Weijian Deng, Stephen Gould, Liang Zheng",
		"On the Strong Correlation Between Model Invariance and Generalization", "NeurIPS", 2022,
	}
	LaF = Paper{
		4, "the LaF paper", "Qiang Hu, Yuejun Guo, Xiaofei Xie, Maxime Cordy, Mike Papadakis, Yves Le Traon",
		"LaF: Labeling-free Model Selection for Automated Deep Neural Network Reusing",
		"ACM Transactions on Software Engineering and Methodology 33(1)", 2023,
	}
	DScore = Paper{
		5, "the D-Score paper", "Xin Zhang, Yuqi Song, Xiaofeng Wang, Fei Zuo",
		"D-Score: A White-Box Diagnosis Score for CNNs Based on Mutation Operators", "", 2023,
	}
)

// All are the papers in the order of their numbers.
func All() []Paper { return []Paper{ML4ML, Background, EI, LaF, DScore} }

// Mark is the paper's number as texts write it: [3].
func (p Paper) Mark() string { return fmt.Sprintf("[%d]", p.Number) }

// Short is how a text names the paper: the EI paper [3].
func (p Paper) Short() string { return p.Name + " " + p.Mark() }

// Citation is the whole reference without its number: authors, title, place and year.
func (p Paper) Citation() string {
	where := fmt.Sprint(p.Year)
	if p.Where != "" {
		where = p.Where + ", " + where
	}
	return p.Authors + ": " + p.Title + ". " + where + "."
}
