"""One bibliography for all metrics."""

from typing import Final

REFERENCES: Final[dict[str, str]] = {
    "buckley2004": "C. Buckley, E. Voorhees. Retrieval Evaluation with Incomplete Information. SIGIR 2004.",
    "chapelle2009": "O. Chapelle et al. Expected Reciprocal Rank for Graded Relevance. CIKM 2009.",
    "deshpande2004": "M. Deshpande, G. Karypis. Item-Based Top-N Recommendation Algorithms. ACM TOIS 22(1), 2004.",
    "jarvelin2002": "K. Järvelin, J. Kekäläinen. Cumulated Gain-Based Evaluation of IR Techniques. ACM TOIS 20(4), 2002.",
    "manning2008": "C. Manning, P. Raghavan, H. Schütze. Introduction to Information Retrieval, chapter 8. Cambridge, 2008.",
    "moffat2008": "A. Moffat, J. Zobel. Rank-Biased Precision for Measurement of Retrieval Effectiveness. ACM TOIS 27(1), 2008.",
    "robertson2006": "S. Robertson. On GMAP, and Other Transformations. CIKM 2006.",
    "vanrijsbergen1979": "C. J. van Rijsbergen. Information Retrieval, 2nd ed., chapter 7. Butterworths, 1979.",
    "voorhees1999": "E. Voorhees. The TREC-8 Question Answering Track Report. TREC 1999.",
    "voorhees2005": "E. Voorhees, D. Harman. TREC: Experiment and Evaluation in Information Retrieval. MIT Press, 2005.",
}
